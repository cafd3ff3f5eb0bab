"""A night's work: agents that follow a script, workers that are killed, and what is checked in the morning."""
