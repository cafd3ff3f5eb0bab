"""The defaults of an Airflow DAG: the keyword arguments and the entries of dictionaries that have literal values."""

from __future__ import annotations

import re
from itertools import islice

_SETTING = re.compile(
    r"""(?<![\w.])["']?([a-z_]{4,40})["']?\s{0,4}[=:](?!=)\s{0,4}(True|False|None|-?\d{1,12}(?![\w.])|"[^"\n]{0,200}"|'[^'\n]{0,200}'"""
    r"""|(?:pendulum\.|datetime\.|dt\.)?datetime\(\s?\d{4}[^)\n]{0,60}\)|timedelta\([^)\n]{0,60}\))"""
)
_MOST = 2_000


def defaults(text: str) -> dict[str, object]:
    """The settings of a DAG by name; of one that is set several times, the last value."""
    found = islice(_SETTING.finditer(text), _MOST)
    return {"dag": {each[1]: each[2].strip("\"'") for each in found}}
