"""Specialists that parse, classify or come from third parties, in processes that can be killed.

`shared_memory` is what a host and a worker share. `worker` is what a worker does. `fork_server` starts workers by fork,
`fork_client` is the host's side of it; `spawn` starts them where a fork is not possible. `loader` imports specialists
in a worker. `pool` holds the workers of a host, `history_sync` what each has received of a session, `payload` what it
is asked. `job` is one action before the workers, `assignment` the part of it that one worker has. docs/deadlines.md
explains the whole.
"""
