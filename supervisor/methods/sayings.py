"""The former name of `supervisor.methods.statement_checks`, which specialists of other projects import."""

from supervisor.methods.statement_checks import (
    Statement as Saying,
)
from supervisor.methods.statement_checks import (
    is_dictated,
    judged,
    said,
)

__all__ = ["Saying", "is_dictated", "judged", "said"]
