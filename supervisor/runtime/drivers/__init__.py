"""What runs the command of a task: a driver for each kind of worker.

`driver` is what an executor hands to one and gets back, `shell` runs any command. `worktree` is where a task works, and
what keeps its work. `guarding` judges a command before it starts, and looks whether an agent is guarded.
"""
