"""An engine behind a socket: the client of the daemon."""
