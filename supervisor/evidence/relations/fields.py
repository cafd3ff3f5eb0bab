"""The fields of the records that an action names, against its arguments of the same role."""

from __future__ import annotations

from supervisor.evidence.relations.seen import Features, Seen

_SAME = {
    word: number
    for number, listed in enumerate(
        (
            "amount total sum price cost value fee net gross rate charge refund betrag montant importe monto importo kwota belopp summa valor",
            "iban account bank konto cuenta compte conto bankaccount acct",
            "mail email recipient to address contact correo courriel",
            "date day start from end due on when datum fecha data",
            "time hour slot uhrzeit hora heure",
            "phone mobile tel msisdn number",
            "quantity qty count units pieces number menge cantidad quantite nights guests rooms seats people pax",
            "currency",
            "id ref reference no number nr code sku",
            "hours weekly",
        )
    )
    for word in listed.split()
}


def _same_label(one: frozenset[str], two: frozenset[str]) -> bool:
    if one & two - {"id", "number", "no", "name", "type"}:
        return True
    return bool({_SAME.get(word) for word in one} & {_SAME.get(word) for word in two} - {None})


def fields(seen: Seen, found: Features) -> None:
    """Fields of the records that the action or the task names, against the arguments of the same role."""
    slots, have = seen.slots, seen.known
    names = {
        (atom.sort, atom.key)
        for slot in slots
        for atom in slot.atoms
        if atom.sort in ("code", "mail", "account", "name")
    }
    names |= {key for key in have.task.keys if key[0] in ("code", "mail", "account", "name")}
    linked = {(each.step, each.record) for each in have.shown() if (each.atom.sort, each.atom.key) in names}
    held = [each for each in have.shown() if (each.step, each.record) in linked]
    found["linked"] += bool(held)
    for slot in slots:
        if slot.prose or not slot.label:
            continue
        for atom in slot.atoms:
            if atom.sort in ("name", "url"):
                continue
            same = [each for each in held if each.atom.sort == atom.sort and _same_label(each.label, slot.label)]
            if not same:
                continue
            if any(each.atom.key == atom.key for each in same):
                found[f"agrees.{atom.sort}"] += 1
            else:
                found[f"against.{atom.sort}"] += 1
                if atom.sort in ("number", "share"):
                    top = max(each.atom.number for each in same)
                    found["above.number"] += atom.number > top
                    found["below.number"] += atom.number < min(each.atom.number for each in same)
