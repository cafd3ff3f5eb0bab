"""Goes on to payment with an extra that the site, not the user, has ticked."""

import re

from supervisor.evidence.prose.vocabulary import stem, words_of
from supervisor.evidence.web.browsing import label_of, page_text
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_GOES_ON = Pattern(
    r"(?i)(continue|proceed|next|go)( to)?( (the )?(checkout|payment|review|booking|next step))?|check ?out|(place"
    r"|submit|complete"
    r"|confirm)( (my|your|the))? (order|booking|purchase|reservation|payment)|pay( now)?|buy now|book now"
    r"|confirm and (pay|book)"
    r"|weiter( zur (kasse|zahlung))?|zur kasse|(zahlungspflichtig|kostenpflichtig) (bestellen|buchen)|jetzt (kaufen"
    r"|buchen)"
    r"|continuar( al pago)?|pagar|confirmar (la )?(compra|reserva)|finalizar compra"
)
# A ticked box, as an accessibility tree, a page's source or Markdown shows it.
_TICKED = (
    re.compile(r'(?im)\bcheckbox "([^"\n]{2,200})"[^\n"]{0,60}\[checked\]'),
    re.compile(r'(?im)\[checked\][^\n"]{0,60}\bcheckbox "([^"\n]{2,200})"'),
    re.compile(r"(?im)(?:\[[xX✓]\]|☑|✅)\s*([^\n]{2,200})"),
    re.compile(
        r"(?is)<input\b(?=[^>]{0,300}type=[\"']?checkbox)(?=[^>]{0,300}\bchecked\b)[^>]{0,300}>\s*(?:<[^>]{0,100}>)?([^<]{2,200})"
    ),
)
_EXTRA = Pattern(
    r"(?i)\b(insurance|protection|warranty|donat\w+|newsletter|offers|marketing|promotion\w*|subscri\w+|membership|trial|premium"
    r"|priority|upgrade|add[- ]on|gift ?wrap\w*|tip\b|carbon|offset|seat selection|extra\w*|plus\b|versicherung"
    r"|garantie|schutz"
    r"|spende\w*|werbung|abo\b|abonnement|seguro|garantía|protección|donación|boletín|ofertas|suscripción)\b"
)
_WANTED = Pattern(r"(?i)\b(with (all )?(the )?extras|all options|keep (the )?(defaults|preselect\w*)|as preselected)\b")


@specialist("click", needs_past=True)
def preselected_extra_kept(action: Action, context: Context) -> Opinion:
    """An extra is wanted if the task mentions it, or if the agent itself has ticked it in this session."""
    if not (context.task or "").strip():
        return refuse("the context has no task")
    if not _GOES_ON.fullmatch(label_of(action)) or _WANTED.search((context.task or "")[:8_000]):
        return ok()
    extra = next(
        (box for box in _ticked(page_text(context)) if _EXTRA.search(box) and not _is_wanted(box, context)), ""
    )
    if not extra:
        return ok()
    return nudge(
        f"“{extra[:120]}” is ticked, and the task does not ask for it.",
        correction=f"First untick “{extra[:120]}”, then go on. If you do not know whether the user wants it, ask.",
        sharper=f"Go back and untick “{extra[:120]}”; do not go on with it.",
        evidence=(extra[:200],),
    )


def _ticked(page: str) -> list[str]:
    return [" ".join(found[1].split()) for pattern in _TICKED for found in pattern.finditer(page)]


def _is_wanted(box: str, context: Context) -> bool:
    """Whether the task mentions it, or an earlier step ticked it."""
    telling = {stem(word) for word in words_of(box) if _EXTRA.search(word)}
    asked = {stem(word) for word in words_of((context.task or "")[:8_000])}
    steps = (context.history[at] for at in range(max(0, len(context.history) - 20), len(context.history)))
    pressed = [str(value) for step in steps if step.kind in ("click", "form") for value in step.args.values()]
    return bool(telling & asked) or any(
        box[:60].lower() in label.lower() or label.lower() == box.lower() for label in pressed
    )
