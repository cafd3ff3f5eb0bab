"""Indexes for what is like a decision: its group, and the newest decisions of its kind with the same objections."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the indexes."""
    op.create_index("ix_decisions_alike", "decisions", ["fingerprint", "time", "record"])
    op.create_index("ix_decisions_kind", "decisions", ["kind", sa.text("substr(entries, 1, 512)"), "time", "record"])


def downgrade() -> None:
    """Drops the indexes."""
    op.drop_index("ix_decisions_kind", "decisions")
    op.drop_index("ix_decisions_alike", "decisions")
