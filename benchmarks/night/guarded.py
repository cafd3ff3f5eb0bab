"""The policy of a night: two of the shipped specialists in a taxonomy of its own, so that executors start fast."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]
_ENTRIES = ("conduct/needless_question", "git/force_push_to_shared_branch")


def write_policy(folder: Path) -> Path:
    """Writes the policy file. A person is asked before anything is force-pushed."""
    own = folder / "own"
    for entry in _ENTRIES:
        for kind, suffix in (("taxonomy", "yaml"), ("specialists", "py")):
            file = own / kind / f"{entry}.{suffix}"
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / kind / f"{entry}.{suffix}", file)
    asked = {"specialists": ["force_push_to_shared_branch"], "verdicts": ["nudge", "block"]}
    policy = {
        "taxonomy": {"shipped": False, "folders": [str(own)]},
        "records": {"path": str(folder / "records"), "key": str(folder / "key.pem")},
        "approval": {"ask": [asked], "valid_for": 7 * 24 * 3600},
        "isolation": "none",
        "budgets": {"pure_ms": 20_000},  # on a machine that is busy enough, 250 ms are none
    }
    written = folder / "policy.yaml"
    written.write_text(json.dumps(policy))
    return written
