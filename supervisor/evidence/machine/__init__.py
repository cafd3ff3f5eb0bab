"""Data about a machine: files that run automatically, vital places, agents, the guard's assets."""
