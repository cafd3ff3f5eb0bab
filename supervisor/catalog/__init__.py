"""The taxonomy and its specialists: read, verified against their cases, published."""
