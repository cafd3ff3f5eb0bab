"""What every reader builds on: paths, facts, slices of long work, syntax trees. Nothing here depends on a language."""
