"""The code, commands and queries in an action's arguments, passed to the reader of their language."""
