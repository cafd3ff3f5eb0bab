"""What runs the command of a task: a driver for each kind of worker.

`driver` is what an executor hands to one and gets back, `shell` runs any command.
"""
