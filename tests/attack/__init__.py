"""Attacks on the guard itself, as a guarded agent or another process of the same user would make them."""
