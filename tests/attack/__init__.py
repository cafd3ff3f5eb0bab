"""Attacks on the guard, as an agent that is guarded would try them."""
