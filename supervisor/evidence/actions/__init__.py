"""What an action brings, found in its arguments and given to the reader of its language."""
