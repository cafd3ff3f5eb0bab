"""The processes of agents: started so that all of them can be killed later, watched, and killed as whole trees.

`process_table` reads the processes of this machine: on Linux from /proc, elsewhere through `psutil_table`. `identity`
tells a process from a later one with the same pid. `containment` finds out by what the processes of one worker are
held together: a cgroup (`cgroup`), a subreaper, or sessions. `launcher` is the small program between this one and the
agent, which enters the cgroup or adopts orphans. `tree` is what is stored of a worker, and finds its processes.
`killing` kills them, also after the process that started them has died. `worker` starts a worker, `output` drains and
bounds what it prints. `states` is the state machine of an agent, `verdict` decides whether it is stuck, and `watch` is
the loop around it.
"""
