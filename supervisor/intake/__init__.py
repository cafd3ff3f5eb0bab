"""Input from outside, parsed and checked: actions and contexts, documents, files, JSON values, tool results."""
