"""Prose as people write it: words, dates, figures, passages, and how they are compared."""
