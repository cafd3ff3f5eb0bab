"""From opinions to a decision."""
