"""Questions of agents, whose answers are used once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns."""
    for name in ("about", "note"):
        op.add_column("task_questions", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    op.add_column("task_questions", sa.Column("worker", sa.String(length=40), nullable=True))
    op.add_column("task_questions", sa.Column("used", sa.Float(), nullable=True))
