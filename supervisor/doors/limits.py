"""The bounds of the database door."""

MAX_ROWS = 1_000
MAX_BYTES = 1_000_000  # of one value (SQLite), and of a whole result as JSON
POOL = 4  # queries at a time; the others wait for a connection until their own deadline
