"""Evidence from the earlier steps of a session: the commands they ran, and the texts of files."""
