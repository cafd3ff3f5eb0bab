"""What may happen to records: their writers are killed, and somebody changes the files. `python -m tests.crash`."""
