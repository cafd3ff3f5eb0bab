"""What every reader builds on: paths, facts, slices of long work, syntax trees, YAML tables.

Nothing here depends on a language.
"""
