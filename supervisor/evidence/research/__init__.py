"""The sources, the citations and the claims of a report."""
