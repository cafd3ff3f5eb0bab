"""What an agent does in a browser: where it goes, what it types, and which rules of access it meets."""
