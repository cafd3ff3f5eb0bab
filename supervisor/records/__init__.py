"""Signed records: everything that is decided, on disk before anyone acts on it."""
