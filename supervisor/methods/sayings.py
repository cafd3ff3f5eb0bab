"""The former name of `supervisor.methods.statement_checks`, kept for specialists of other projects."""

from supervisor.methods.statement_checks import (
    Statement as Saying,
)
from supervisor.methods.statement_checks import (
    is_dictated,
    judged,
    said,
)

__all__ = ["Saying", "is_dictated", "judged", "said"]
