"""The taxonomy and its specialists: reading, verifying against their cases, publishing."""
