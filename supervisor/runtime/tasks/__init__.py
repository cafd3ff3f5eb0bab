"""What a task is and what follows its attempts: plain values and pure functions, without a database or a process.

`states` names the states of a task, `outcome` how an attempt ended. `policy` is what a task's owner wants to happen
when it fails, and `following` decides by it. `spec` is a task as it is handed in, checked.
"""
