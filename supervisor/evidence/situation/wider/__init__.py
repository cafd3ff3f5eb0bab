"""How far a command reaches, held against what the request asks for: everything, a pattern, a missing filter."""
