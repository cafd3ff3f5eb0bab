"""What each attempt spends, counted as it goes, and how often a person has allowed more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the ledger, and adds the columns."""
    op.create_table(
        "task_spending",
        sa.Column("task", sa.String(length=64), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("provider", sa.String(length=40), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("input_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cached_tokens", sa.BigInteger(), nullable=False),
        sa.Column("stored_tokens", sa.BigInteger(), nullable=False),
        sa.Column("output_tokens", sa.BigInteger(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("task", "attempt", "source", "provider", "model", "day"),
    )
    op.create_index("ix_task_spending_day", "task_spending", ["day", "provider"], unique=False)
    for name in ("grants", "tree_grants"):
        op.add_column("tasks", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.add_column("task_questions", sa.Column("raises", sa.String(length=80), nullable=False, server_default=""))
