"""What each attempt has spent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns, which are empty for attempts so far."""
    for name in ("input_tokens", "cached_tokens", "output_tokens"):
        op.add_column("attempts", sa.Column(name, sa.BigInteger(), nullable=True))
    op.add_column("attempts", sa.Column("cost", sa.Float(), nullable=True))
