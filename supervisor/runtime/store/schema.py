"""The tables of the runtime; a change here needs a migration beside it.

Times are seconds since 1970. Columns named `is_…` are 0 or 1. Lists and objects are JSON.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Index, Integer, MetaData, String, Table, Text, text

metadata = MetaData()
_OPEN = text("state IN ('blocked', 'queued', 'running', 'waiting') AND key IS NOT NULL")


def _id(name: str, *, primary_key: bool = False, nullable: bool = False) -> Column[str]:
    return Column(name, String(64), primary_key=primary_key, nullable=nullable)


# `attempt` is the number of the attempt that the engine runs or is to run next: no other one may begin. `stop` asks the
# executor to end it. `target` is the only worker that may begin it. `grants` is how often a person has allowed it to
# spend as much again as its cap says, `tree_grants` the same for it and all tasks that it has added.
tasks = Table(
    "tasks",
    metadata,
    _id("id", primary_key=True),
    Column("key", Text),
    Column("title", Text, nullable=False),
    Column("pool", String(40), nullable=False),
    Column("priority", Integer, nullable=False),
    Column("state", String(10), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("excluded", Text, nullable=False),
    Column("target", String(40)),
    Column("not_before", Float),
    Column("deadline", Float),
    Column("stop", String(12)),
    Column("parent", String(64)),
    Column("depth", Integer, nullable=False),
    Column("spec", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Column("grants", Integer, nullable=False, server_default="0"),
    Column("tree_grants", Integer, nullable=False, server_default="0"),
    Index("ix_tasks_state", "state", "priority", "created"),
    Index("ix_tasks_parent", "parent"),
    Index("ix_tasks_key", "key", unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN),
)

dependencies = Table(
    "task_dependencies",
    metadata,
    _id("task", primary_key=True),
    _id("needs", primary_key=True),
    Index("ix_task_dependencies_needs", "needs"),
)

# A start of a task's command. `tree` is what kills its processes, stored before they exist. `ending` is empty while the
# attempt runs. `host` names the machine and its boot. `kept` is the commit that keeps its work. What it has spent is
# empty where its driver does not tell: tokens, those among them that came from a cache, and US dollars.
attempts = Table(
    "attempts",
    metadata,
    _id("task", primary_key=True),
    Column("number", Integer, primary_key=True),
    _id("executor"),
    Column("worker", String(40), nullable=False),
    Column("host", Text, nullable=False),
    Column("tree", Text, nullable=False),
    Column("ending", String(12), nullable=False),
    Column("reason", Text, nullable=False),
    Column("exit_code", Integer),
    Column("started", Float, nullable=False),
    Column("ended", Float),
    Column("log", Text, nullable=False),
    Column("kept", String(64), nullable=False),
    Column("input_tokens", BigInteger),
    Column("cached_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("cost", Float),
    Index("ix_attempts_executor", "executor", "ending"),
)

# The ledger: what an attempt has spent at a provider on a day (UTC), by model. `source` is who has counted: the
# `gateway` before the provider, or the `agent` itself. `cost` is in US dollars, empty where no price is known.
spending = Table(
    "task_spending",
    metadata,
    _id("task", primary_key=True),
    Column("attempt", Integer, primary_key=True),
    Column("source", String(10), primary_key=True),
    Column("provider", String(40), primary_key=True),
    Column("model", String(200), primary_key=True),
    Column("day", String(10), primary_key=True),
    Column("input_tokens", BigInteger, nullable=False),
    Column("cached_tokens", BigInteger, nullable=False),
    Column("stored_tokens", BigInteger, nullable=False),
    Column("output_tokens", BigInteger, nullable=False),
    Column("cost", Float),
    Index("ix_task_spending_day", "day", "provider"),
)

# One process that runs tasks, from its start to its end. `worker` is its name, which the next one may bear as well.
# `beat` is a number that it raises as long as it lives.
executors = Table(
    "executors",
    metadata,
    _id("id", primary_key=True),
    Column("worker", String(40), nullable=False),
    Column("pool", String(40), nullable=False),
    Column("slots", Integer, nullable=False),
    Column("host", Text, nullable=False),
    Column("process", Text, nullable=False),
    Column("beat", BigInteger, nullable=False),
    Column("is_alive", Integer, nullable=False),
    Column("started", Float, nullable=False),
    Index("ix_executors_alive", "is_alive"),
)

# What a person has to decide. `digest` binds it to what it is about, which `about` shows. `worker` has asked, and gets
# the answer, whose `note` is the person's reason. `used` is when the answer was taken: once. `raises` is the cap on
# spending that the answer `retry` raises.
questions = Table(
    "task_questions",
    metadata,
    _id("id", primary_key=True),
    _id("task"),
    Column("text", Text, nullable=False),
    Column("choices", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("asked", Float, nullable=False),
    Column("answer", Text),
    Column("answered", Float),
    Column("by", Text, nullable=False),
    Column("about", Text, nullable=False, server_default=""),
    Column("note", Text, nullable=False, server_default=""),
    Column("worker", String(40)),
    Column("used", Float),
    Column("raises", String(80), nullable=False, server_default=""),
    Index("ix_task_questions_task", "task"),
)

# What a person says to an agent that runs. `heard` is when the agent has heard it.
messages = Table(
    "task_messages",
    metadata,
    _id("id", primary_key=True),
    _id("task"),
    Column("text", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("sent", Float, nullable=False),
    Column("heard", Float),
    Index("ix_task_messages_task", "task"),
)
