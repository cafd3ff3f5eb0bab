"""Inputs, doors and specialists that mean harm, and what the engine promises in spite of them.

`python -m tests.hostile [PART OF A NAME]` judges them on a quiet machine and prints what it took.
"""
