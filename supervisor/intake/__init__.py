"""What comes from outside, checked: actions and contexts, documents, files, JSON values, tool results."""
