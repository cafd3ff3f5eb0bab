"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_OPEN = sa.text("state IN ('blocked', 'queued', 'running', 'waiting') AND key IS NOT NULL")


def upgrade() -> None:
    """Creates all tables."""
    op.create_table(
        "attempts",
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("executor", sa.String(length=64), nullable=False),
        sa.Column("worker", sa.String(length=40), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("tree", sa.Text(), nullable=False),
        sa.Column("ending", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("started", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("kept", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("task", "number"),
    )
    op.create_index("ix_attempts_executor", "attempts", ["executor", "ending"], unique=False)
    op.create_table(
        "executors",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("worker", sa.String(length=40), nullable=False),
        sa.Column("pool", sa.String(length=40), nullable=False),
        sa.Column("slots", sa.Integer(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("is_alive", sa.Integer(), nullable=False),
        sa.Column("started", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_executors_alive", "executors", ["is_alive"], unique=False)
    op.create_table(
        "task_dependencies",
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("needs", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("task", "needs"),
    )
    op.create_index("ix_task_dependencies_needs", "task_dependencies", ["needs"], unique=False)
    op.create_table(
        "task_questions",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("asked", sa.Float(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered", sa.Float(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_task_questions_task", "task_questions", ["task"], unique=False)
    op.create_table(
        "tasks",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("pool", sa.String(length=40), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("excluded", sa.Text(), nullable=False),
        sa.Column("target", sa.String(length=40), nullable=True),
        sa.Column("not_before", sa.Float(), nullable=True),
        sa.Column("deadline", sa.Float(), nullable=True),
        sa.Column("stop", sa.String(length=12), nullable=True),
        sa.Column("parent", sa.String(length=64), nullable=True),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_tasks_key", "tasks", ["key"], unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN)
    op.create_index("ix_tasks_parent", "tasks", ["parent"], unique=False)
    op.create_index("ix_tasks_state", "tasks", ["state", "priority", "created"], unique=False)
