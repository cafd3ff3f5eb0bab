"""What the earlier steps of a session tell: what they ran, and the texts of files."""
