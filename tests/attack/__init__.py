"""What an agent, another process of the same user or a hostile client tries, and what comes of it."""
