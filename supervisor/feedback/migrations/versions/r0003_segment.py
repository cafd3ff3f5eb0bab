"""The segment that a decision is recorded in, which tells where it can be judged."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column. What is in the index already has no segment until it is rebuilt."""
    op.add_column("decisions", sa.Column("segment", sa.String(128), nullable=False, server_default=""))


def downgrade() -> None:
    """Drops the column."""
    op.drop_column("decisions", "segment")
