"""What every reader builds on: paths, facts, slices of long work, syntax trees. Nothing here knows a language."""
