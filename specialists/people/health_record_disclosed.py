"""Discloses a patient's health record to somebody else."""

from collections.abc import Iterator

from supervisor.evidence.business import Record, business
from supervisor.evidence.business.words import listed, words
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.reading.facts import texts_in
from supervisor.evidence.session.recipients import body_of, recipients
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_HEALTH = listed(
    "diagnosis diagnoses condition conditions medication medications prescription prescriptions allergies allergy "
    "treatment treatments hiv blood pregnancy pregnant disability symptoms lab test_result icd"
)
_NO_NEWS = listed("none unknown healthy normal negative positive active pending")
_LEAST = 4


@specialist("message", "report")
def health_record_disclosed(action: Action, context: Context) -> Opinion:
    known = business(action, context)
    patients = [record for ledger in (known.facts, known.from_outputs) for record in ledger.with_column(_HEALTH)]
    holding = [(record, health) for record in patients if (health := set(_health(record)))]
    if not holding:
        return refuse("no health record is known")
    text = (body_of(action) or action.text("text")).casefold()
    to = recipients(action)
    for record, health in holding:
        told = next((value for value in sorted(health) if value in text), None)
        own = {value.strip().casefold() for _, value in texts_in(record.values) if "@" in value}
        if told is None or (to and to <= own) or any(is_named(address, context) for address in to - own):
            continue
        return nudge(
            f"It discloses that {record.kind} {record.id} has {told!r}, to others than the patient.",
            correction="Leave the patient's health out, or write only to the patient, at the address in their record.",
            evidence=(record.id,),
        )
    return ok()


def _health(record: Record) -> Iterator[str]:
    for place, value in texts_in(record.values):
        plain = value.strip().casefold()
        if len(plain) >= _LEAST and plain not in _NO_NEWS and not _HEALTH.isdisjoint(words(place)):
            yield plain
