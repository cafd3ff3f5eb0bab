"""Summaries of a session's steps: what was done, refused, repeated and spent, and who was addressed."""
