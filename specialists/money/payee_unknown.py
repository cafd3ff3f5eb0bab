"""Pays to a payee that neither the user, nor the deployment, nor any tool has named."""

from collections.abc import Collection

from supervisor.evidence.business.records import ids_in
from supervisor.evidence.business.words import plain_id
from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.provenance import provenance
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, refuse, specialist

_LISTS = ("payees", "known_payees", "approved_payees", "beneficiaries", "approved_vendors", "vendors", "suppliers")


@specialist("payment", facts=["payees"])
def payee_unknown(action: Action, context: Context) -> Opinion:
    payee = str(action.get("payee") or "").strip()
    if not payee:
        return refuse("it names no payee")
    listed = _listed(context)
    if listed:
        if plain_id(payee) in listed or is_named(payee, context):
            return ok()
        return nudge(
            f"{payee} is not among the payees of this deployment, and the user did not name it.",
            correction="Ask the user to confirm the payee and its account before you pay.",
            evidence=(payee,),
        )
    if not (context.task or context.history) or sum(letter.isdigit() for letter in payee) < 6:
        return refuse("the payees of this deployment are unknown")
    value = next((each for each in provenance(action, context).values if each.text.strip() == payee), None)
    if value is None or not value.nowhere or plain_id(payee) in plain_id(str(dict(context.facts))[:65_536]):
        return ok()
    return flag(f"The account {payee} is neither in the user's words nor in a tool's output.")


def _listed(context: Context) -> set[str]:
    """The payees that the deployment's facts list, by name, id or account."""
    found: set[str] = set()
    for name in _LISTS:
        stated = context.facts.get(name)
        entries: Collection[object] = stated if isinstance(stated, (list, tuple)) else ()
        for entry in entries:
            values = list(entry.values()) if isinstance(entry, dict) else [entry]
            found.update(plain_id(each) for value in values for each in ids_in(value))
    return found
