"""What earlier outputs showed, and commands against it: a state, a plan, a failed check, a document."""
