"""Specialists that parse, classify or come from third parties, in processes that can be killed.

`shared_memory` is the memory that a host and a worker share. `worker` is the loop of a worker. `fork_server` starts
workers by fork, `fork_client` is the host's side of it; `spawn` starts them where a fork is not possible. `loader`
imports specialists in a worker. `pool` has the workers of a host, `history_sync` tracks the histories that each has
received, `payload` encodes the question. `job` asks workers about one action, `assignment` is the part of a job that
one worker has. docs/deadlines.md explains the whole.
"""
