"""The worker lane: specialists that parse, classify or come from third parties, in processes that can be killed.

`slate` is the memory that a host and a worker share, `worker` what a worker does, `zygote` where workers come from,
`pool` the host's side of them, `histories` what a worker has been told of sessions, `inquiry` one action before the
workers, `lanes` the three ways to ask side by side. docs/deadlines.md explains the whole.
"""
