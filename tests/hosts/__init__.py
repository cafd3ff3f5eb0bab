"""Command-line agents as they are, driven by a model that says what a test has written."""
