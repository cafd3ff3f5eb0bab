"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates all tables."""
    op.create_table(
        "decisions",
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("stage", sa.String(length=6), nullable=False),
        sa.Column("time", sa.String(length=32), nullable=False),
        sa.Column("week", sa.String(length=8), nullable=False),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("agent", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("verdict", sa.String(length=5), nullable=False),
        sa.Column("entries", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("features", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("elapsed_ms", sa.Float(), nullable=False),
        sa.Column("is_reviewable", sa.Integer(), nullable=False),
        sa.Column("is_waiting", sa.Integer(), nullable=False),
        sa.Column("heeded", sa.String(length=8), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index(
        "ix_decisions_group", "decisions", ["fingerprint", "is_waiting", "rank", "time", "record"], unique=False
    )
    op.create_index("ix_decisions_session", "decisions", ["session", "time", "record"], unique=False)
    op.create_index("ix_decisions_time", "decisions", ["time", "record"], unique=False)
    op.create_index("ix_decisions_waiting", "decisions", ["is_waiting", "rank", "time", "record"], unique=False)
    op.create_table(
        "findings",
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("specialist", sa.String(length=128), nullable=False),
        sa.Column("week", sa.String(length=8), nullable=False),
        sa.Column("verdict", sa.String(length=5), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("is_deciding", sa.Integer(), nullable=False),
        sa.Column("is_stopping", sa.Integer(), nullable=False),
        sa.Column("heeded", sa.String(length=8), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("latency", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("record", "specialist"),
    )
    op.create_index(
        "ix_findings_week",
        "findings",
        ["specialist", "week", "is_stopping", "label", "heeded", "latency"],
        unique=False,
    )
    op.create_table(
        "groups",
        sa.Column("fingerprint", sa.String(length=64), nullable=False),
        sa.Column("is_labelled", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("time", sa.String(length=32), nullable=False),
        sa.Column("lead", sa.String(length=64), nullable=False),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("fingerprint"),
    )
    op.create_index("ix_groups_next", "groups", ["is_labelled", "rank", "time", "lead"], unique=False)
    op.create_table(
        "holds",
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("until", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_table(
        "labels",
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("decision", sa.String(length=64), nullable=False),
        sa.Column("time", sa.String(length=32), nullable=False),
        sa.Column("word", sa.String(length=16), nullable=False),
        sa.Column("verdict", sa.String(length=5), nullable=False),
        sa.Column("entry", sa.String(length=128), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("via", sa.String(length=16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("ix_labels_decision", "labels", ["decision"], unique=False)
    op.create_index("ix_labels_word", "labels", ["word"], unique=False)
    op.create_table(
        "outcomes",
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("time", sa.String(length=32), nullable=False),
        sa.Column("session", sa.Text(), nullable=True),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("about", sa.String(length=64), nullable=True),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("record"),
    )
    op.create_index("ix_outcomes_about", "outcomes", ["about"], unique=False)
    op.create_index("ix_outcomes_session", "outcomes", ["session", "action"], unique=False)
    op.create_table(
        "refusals",
        sa.Column("record", sa.String(length=64), nullable=False),
        sa.Column("specialist", sa.String(length=128), nullable=False),
        sa.Column("week", sa.String(length=8), nullable=False),
        sa.Column("cause", sa.String(length=16), nullable=False),
        sa.Column("ended", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("record", "specialist"),
    )
    op.create_index("ix_refusals_week", "refusals", ["specialist", "week"], unique=False)
    op.create_table(
        "segments",
        sa.Column("segment", sa.String(length=128), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("records", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("is_sealed", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("segment"),
    )
    op.create_table(
        "sessions",
        sa.Column("session", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=True),
        sa.Column("project", sa.Text(), nullable=True),
        sa.Column("first", sa.String(length=32), nullable=False),
        sa.Column("last", sa.String(length=32), nullable=False),
        sa.Column("decisions", sa.Integer(), nullable=False),
        sa.Column("stopped", sa.Integer(), nullable=False),
        sa.Column("flagged", sa.Integer(), nullable=False),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("session"),
    )
    op.create_index("ix_sessions_last", "sessions", ["last"], unique=False)
    op.create_table(
        "states",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def downgrade() -> None:
    """Drops all tables; journals are not touched, and a rebuild brings everything back."""
    for name in (
        "states",
        "sessions",
        "segments",
        "refusals",
        "outcomes",
        "labels",
        "holds",
        "groups",
        "findings",
        "decisions",
    ):
        op.drop_table(name)
