"""Values that a request demands, values that a command sets, and when the two are the same."""
