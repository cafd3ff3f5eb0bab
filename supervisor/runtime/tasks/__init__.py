"""What a task is and what follows its attempts: plain values and pure functions, without a database or a process.

`states` names the states of a task, `outcome` how an attempt ended. `policy` is what a task's owner wants to happen
when it fails, and `following` decides by it; `preempting` decides who gives way to more urgent tasks. `spec` is a task
as it is handed in, checked. `usage` is what attempts spend, and `caps` says whether they may spend more. `question` is
what a person is asked, `said` what a person says unasked.
"""
