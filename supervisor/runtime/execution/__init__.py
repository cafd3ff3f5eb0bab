"""Runs tasks: the durable engine, who is alive, and one attempt from its beginning to its end.

`lease` has the two pure sides of liveness: how long this executor may go on without a sign of life of its own, and when
another one counts as dead. `engine` is DBOS, `workflow` what it runs. `attempt` claims an attempt, has a driver run it
and settles it; `controls` are those that run here. `liveness` beats, watches the others, recovers what they have left
and sweeps. `executor` is one process that does all of that.
"""
