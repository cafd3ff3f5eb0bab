"""Types SQL where a site expects a value, so that the program behind it runs the SQL (CWE-89)."""

from supervisor.evidence.actions.injections import injections
from supervisor.specialist import Action, Context, Opinion, flag, nudge, ok, specialist

_TAKES_SQL = ("editor", "query", "sql", "statement")
_ABOUT_SQL = ("sql", "injection", "pentest", "penetration test", "security test", "sanitiz", "sanitis", "escap")
_LONG = 3_000  # characters; a longer text may well contain SQL as its subject
_PLAIN = "is a SELECT itself"  # people also search for and teach such statements


@specialist("form", "click", "browse", "http")
def injection_string_typed_into_form(action: Action, context: Context) -> Opinion:
    typed = injections(action, context)
    if not typed:
        return ok()
    place, injection = typed[0]
    reason = f"If a program pastes {place} into its SQL, it {injection.sign}: `{injection.text}`."
    where = f"{action.text('element')} {place} {action.text('url').partition('?')[0]}".lower()
    if any(word in where for word in _TAKES_SQL) and (injection.sign == _PLAIN or "sql" in where):
        return ok()
    task = (context.task or "").lower()
    taught = any(word in task for word in _ABOUT_SQL)
    if taught or any(len(text) > _LONG for _, text in action.strings()):
        return flag(reason, evidence=(injection.text,))
    return nudge(
        reason,
        correction="Type the plain value that the field asks for: a name, a number, words to search for. Ask the site's"
        " owner for data that the form does not show.",
        sharper="Testing a form for injections needs its owner's permission. Without it, type plain values only.",
        evidence=(injection.text,),
    )
