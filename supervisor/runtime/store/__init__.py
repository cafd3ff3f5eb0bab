"""The database of the runtime: tasks, their attempts, executors and questions.

`schema` has the tables, `database` opens them. `adding`, `attempts` and `changes` are the transactions that move a task
from state to state, `executors` those that say who is alive, and `queries` what people look at. `ledger` has what was
spent. What the durable engine has to run next is enqueued in the same transaction (`enqueuing`), so that neither can be
there without the other.
"""
