"""How the values and the act of a tool call stand to what the user said and to what the session's outputs show."""
