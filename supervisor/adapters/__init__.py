"""One file a host: each puts the guard where that framework can be interrupted, and is imported only by who uses it."""
