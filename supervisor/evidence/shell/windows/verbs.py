"""The verbs of cmdlets. Source: "Approved Verbs for PowerShell Commands" in Microsoft's documentation."""

from __future__ import annotations


def is_verb_noun(name: str) -> bool:
    """Whether a name is formed as a cmdlet's, with a verb that PowerShell approves."""
    verb, dash, noun = name.partition("-")
    return bool(dash) and noun.isalnum() and not noun.isdigit() and verb.lower() in VERBS


VERBS = frozenset(
    "add approve assert backup block build checkpoint clear close compare complete compress confirm connect convert"
    " convertfrom convertto copy debug deny deploy disable disconnect dismount edit enable enter exit expand export"
    " find foreach format get grant group hide import initialize install invoke join limit lock measure merge mount"
    " move new open optimize out ping pop protect publish push read receive redo register remove rename repair request"
    " reset resize resolve restart restore resume revoke save search select send set show skip sort split start step"
    " stop submit suspend switch sync tee test trace unblock undo uninstall unlock unprotect unpublish unregister"
    " update use wait watch where write".split()
)
