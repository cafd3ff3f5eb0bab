"""The files in which agents keep their sessions. Each format has a module with `matches` and `read`."""
