"""Prose: words, dates, figures and passages as people write them, and how they are compared."""
