"""Alerts that never fire, and routes of notifications that reach nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.configuration.fault import Block, Fact, Fault, Weight, entries, is_off, scalar, short, texts
from supervisor.evidence.configuration.units import other_unit

_NEVER = re.compile(
    r"\bvector\(\s*0\s*\)\s*(?:$|>|==\s*1)|\b(?:and|unless)\s+(?:vector\(\s*0\s*\)"
    r"|on\(\)\s*vector)\s*(?:==\s*1)?|>\s*\+?Inf\b|\bfalse\b\s*$|==\s*NaN"
    r"|[<>]=?\s*bool\s+\+?Inf|>\s*1e(?:1\d|[2-9]\d)\b|>\s*\d{13,}|^\s*0\s*[>=]{1,2}\s*1\s*$|\babsent\(vector\(",
    re.IGNORECASE,
)
# What is counted is never none of it: without any there is no result, and nothing to compare.
_COUNT_OF_NONE = re.compile(
    r"^\s*count\s*(?:(?:by|without)\s*\([^()]{0,100}\)\s*)?\((?:(?!\bor\b).){1,300}\)"
    r"\s*(?:<=?\s*0|<\s*1|==\s*0)\s*$"
)
_LIMIT = re.compile(
    r"(?i)(?:above|over|exceed\w*|more than|greater than|higher than|below|under|less than|lower than|über|unter"
    r"|plus de|moins de|supera|m[áa]s de|menos de|mayor a|menor a|[<>]=?)\s{0,2}(-?\d{1,9}(?:\.\d{1,6})?)"
)
_COMPARED = re.compile(r"[<>]=?\s*(-?\d{1,12}(?:\.\d{1,6})?)\s*$")
_RATIO = re.compile(r"/")
_OVER = re.compile(r">=?\s*(\d{1,12}(?:\.\d{1,6})?)\s*$")
_UNDER = re.compile(r"<\s*(-?\d{1,12}(?:\.\d{1,6})?)\s*$")
_SHARE_OF_HUNDRED = re.compile(r"^\(?\s*100\s*-[^/]*\*\s*100\b")
# What may be below nothing: a forecast, a difference, a slope, a temperature.
_MAY_FALL = re.compile(r"predict|deriv|delta|(?<!\w)-|offset|time\(|temp|balance|skew|clock|diff", re.IGNORECASE)
_TIME = re.compile(r"(\d{1,9})(ms|[smhdwy])")
_SECONDS = {"ms": 0, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800, "y": 31536000}
_LONG = 7 * 86400  # seconds for which a state would have to last before anybody is told
_NOBODY = re.compile(
    r"(?i)^(?:null|none|blackhole|black-hole|devnull|dev-null|void|noop|no-op|silent|discard|empty|drop)$"
)
_BY_DESIGN = re.compile(
    r"(?i)watchdog|infoinhibitor|deadman|inhibitor|severity\W{1,5}(?:none|info)|env\w*\W{1,5}(?:dev|test|staging)"
)
_SHARE = re.compile(r"(?i)percent|utili[sz]ation|ratio|(?:^|_)(?:pct)")


def faults_of_alerts(block: Block) -> Iterator[Fact]:
    """A rule of Prometheus, an alarm of a cloud, a route of Alertmanager."""
    values = block.values
    if (("alert" in values or "alertname" in values) and "expr" in values) or (
        "expr" in values and "alert" not in values and "record" not in values and block.path[-1:] in ((), ("rules",))
    ):
        yield from _of_rule(block)
    if "receiver" in values:
        yield from _of_route(block)
    if "threshold" in values and ({"metricname", "comparisonoperator"} & values.keys()):
        yield from _of_alarm(block)
    if is_off(values.get("sendresolved")) and block.path[-1:] == ("route",):
        yield Fact(Fault.SILENT, "sendresolved=false", block.shown("sendresolved"), Weight.SLIGHT)


def _of_rule(block: Block) -> Iterator[Fact]:
    expression = " ".join(scalar(block.values["expr"]).split())
    if found := _NEVER.search(expression):
        yield Fact(Fault.SILENT, f"expr {found[0]}", f"expr: {short(expression)}")
    elif _RATIO.search(expression) and (over := _OVER.search(expression)):
        percent = re.search(r"\*\s*100\b|100\s*\*", expression) is not None
        is_ratio = re.search(
            r"(?:rate|increase|errors?|failed|total|bytes|available|free|used)\w*\b.*/", expression, re.IGNORECASE
        )
        is_duration = re.search(r"seconds_sum|_sum\b|duration|latency|/\s*\d", expression)
        if (
            is_ratio
            and not is_duration
            and float(over[1]) >= (100 if percent else 1)
            and (percent or float(over[1]) in (1, 10, 50, 99, 100, 1000))
        ):
            is_same = re.search(r"^\(?(?:sum|avg)?.*error.*|.*5\.\..*", expression) or percent
            if is_same:
                yield Fact(Fault.SILENT, f"expr over {over[1]}", f"expr: {short(expression)}")
    elif _SHARE_OF_HUNDRED.search(expression) and (over := _OVER.search(expression)) and float(over[1]) >= 100:
        yield Fact(Fault.SILENT, f"expr over {over[1]}", f"expr: {short(expression)}")
    elif (under := _UNDER.search(expression)) and float(under[1]) <= 0 and not _MAY_FALL.search(expression):
        yield Fact(Fault.SILENT, f"expr under {under[1]}", f"expr: {short(expression)}")
    if _COUNT_OF_NONE.search(expression):
        yield Fact(Fault.SILENT, "count of none", f"expr: {short(expression)} has no result when there is none")
    if limit := _other_limit(expression, block.values.get("annotations")):
        yield Fact(Fault.SILENT, f"limit {limit}", f"expr: {short(expression)}, and the text says {limit}")
    if unit := other_unit(expression, block.values.get("annotations")):
        yield Fact(Fault.SILENT, f"unit {unit}", f"expr: {short(expression)} is in another unit than “{unit}”")
    if (wait := _seconds(scalar(block.values.get("for")))) >= _LONG:
        yield Fact(Fault.SILENT, f"for={wait}", block.shown("for"), Weight.SERIOUS)
    elif wait >= 86400:
        yield Fact(Fault.SILENT, f"for={wait}", block.shown("for"), Weight.SLIGHT)


def _other_limit(expression: str, annotations: object) -> str:
    """The limit in the text of an alert, if that of its expression has a digit more or less."""
    compared = _COMPARED.search(expression)
    said = " ".join(text for each in entries(annotations) for text in texts([*each.values()]))[:2_000]
    limits = _LIMIT.findall(said)
    if compared is None or not limits or compared[1] in re.findall(r"-?\d+(?:\.\d+)?", said):
        return ""
    limit = float(compared[1])
    return next((each for each in limits if limit and float(each) in (limit * 10, limit / 10)), "")


def _seconds(text: str) -> int:
    return sum(int(number) * _SECONDS[unit] for number, unit in _TIME.findall(text[:60]))


def _of_route(block: Block) -> Iterator[Fact]:
    receiver = scalar(block.values["receiver"])
    matched = (
        str(block.values.get("matchers") or "")
        + str(block.values.get("match") or "")
        + str(block.values.get("matchre") or "")
    )
    if not _NOBODY.match(receiver) or _BY_DESIGN.search(matched):
        pass
    elif matched:
        weight = Weight.SERIOUS if re.search(r"(?i)critical|page|severity|prod", matched) else Weight.SLIGHT
        yield Fact(Fault.SILENT, f"receiver={receiver} {matched}", block.shown("receiver"), weight)
    elif not entries(block.values.get("routes")):
        yield Fact(Fault.SILENT, f"receiver={receiver}", block.shown("receiver"))
    if _seconds(scalar(block.values.get("repeatinterval"))) >= 30 * 86400:
        yield Fact(Fault.SILENT, "repeatinterval", block.shown("repeatinterval"), Weight.SLIGHT)
    if _seconds(scalar(block.values.get("groupwait"))) >= 6 * 3600:
        yield Fact(Fault.SILENT, "groupwait", block.shown("groupwait"))


def _of_alarm(block: Block) -> Iterator[Fact]:
    values = block.values
    metric, operator = scalar(values.get("metricname")), scalar(values.get("comparisonoperator")).lower()
    try:
        threshold = float(scalar(values["threshold"]))
    except ValueError:
        return
    if "greater" in operator and _SHARE.search(metric) and threshold >= 100:
        yield Fact(Fault.SILENT, f"threshold={threshold}", block.shown("metricname", "threshold"))
    for key in ("alarmactions", "okactions"):
        if (
            key == "alarmactions"
            and isinstance(values.get(key), list)
            and not texts(values.get(key))
            and not values[key]
        ):
            yield Fact(Fault.SILENT, "alarmactions=[]", "alarm_actions: []", Weight.SLIGHT)
