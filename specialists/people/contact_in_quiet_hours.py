"""Calls or writes to somebody in the deployment's quiet hours."""

from collections.abc import Mapping
from datetime import time, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from supervisor.evidence.actions.named_args import all_args, is_stated, named_args
from supervisor.evidence.business import business
from supervisor.evidence.business.words import words
from supervisor.evidence.session.recipients import recipients
from supervisor.specialist import Action, Cause, Context, Opinion, nudge, ok, refuse, specialist

_LATER = ("send_at", "scheduled_at", "schedule_time", "send_time", "deliver_at", "scheduled_for", "scheduled_time")


@specialist("message", "tool", needs_facts=["quiet_hours"], facts=["quiet_hours"])
async def contact_in_quiet_hours(action: Action, context: Context) -> Opinion:
    """The fact `quiet_hours` is `{from, to, zone, channels}`: `"21:00"`, `"08:00"`, the zone of people whose records
    have none, and words of the names of tools that it applies to (default: all messages)."""
    quiet = context.facts.get("quiet_hours")
    if not isinstance(quiet, Mapping) or not _is_about(action, quiet):
        return refuse("no quiet hours are set for it")
    start, end, zone = _time(quiet.get("from")), _time(quiet.get("to")), _zone(_zone_name(action, context, quiet))
    if start is None or end is None or zone is None:
        return refuse("quiet_hours is not {from, to, zone}", Cause.INFRASTRUCTURE)
    if is_stated(action, _LATER, bool):
        return ok()
    now = context.now.astimezone(zone).time()
    if not (start <= now < end if start < end else now >= start or now < end):
        return ok()
    return nudge(
        f"It is {now:%H:%M} in the recipient's zone, and quiet hours are from {start:%H:%M} to {end:%H:%M}.",
        correction=f"Schedule it for after {end:%H:%M} in {zone}, or leave it to the next working day.",
        evidence=(f"{now:%H:%M}",),
    )


def _is_about(action: Action, quiet: Mapping[str, object]) -> bool:
    channels = quiet.get("channels")
    named = {str(each).lower() for each in channels} if isinstance(channels, (list, tuple)) else set()
    spoken = {
        *words(action.tool),
        *(word for name, value in all_args(action) if name in ("channel", "medium") for word in words(str(value))),
    }
    return bool(named & spoken) or (action.kind == "message" and not named)


def _zone_name(action: Action, context: Context, quiet: Mapping[str, object]) -> object:
    """The zone in the recipient's record, else the deployment's."""
    to = recipients(action) or {str(action.get("to") or named_args(action).get("phone") or "")}
    known = business(action, context)
    for address in sorted(filter(None, to)):
        person = known.person(address)
        own = person.named("", "timezone", "time_zone", "tz") if person else None
        if own:
            return own
    return quiet.get("zone", "UTC")


def _time(stated: object) -> time | None:
    try:
        return time.fromisoformat(stated) if isinstance(stated, str) else None
    except ValueError:
        return None


def _zone(name: object) -> tzinfo | None:
    try:
        return ZoneInfo(name) if isinstance(name, str) and len(name) < 64 else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
