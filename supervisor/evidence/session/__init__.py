"""What the steps of a session come to: what was done, refused, repeated, spent and said to whom."""
