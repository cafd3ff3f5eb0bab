"""Grants an application access to the user's account, which the task does not ask for."""

from supervisor.evidence.web.browsing import label_of, page_text, page_url
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_GRANTS = Pattern(
    r"(?i)(allow|authori[sz]e|grant|approve|install|zulassen|erlauben|permitir|autorizar|autoriser)"
    r"( (access|app|application|all|zugriff|acceso|[\w .-]{1,40}))?"
)
# Labels that are also pressed to sign in; they grant access only if the page says so.
_GOES_ON = Pattern(r"(?i)(accept|continue|yes|i agree|weiter|akzeptieren|aceptar|continuar)( (all|and continue))?")
_CONSENT = Pattern(
    r"(?i)accounts\.google\.[a-z.]+/(o/oauth2|signin/oauth)|login\.microsoftonline\.com/.*(consent|authorize)"
    r"|/oauth2?/(v\d/)?(authori[sz]e|auth|consent)|/login/oauth/authorize|/oauth/authorize|/apps/[^/]+/installations"
    r"|[?&]response_type=(code|token)\b"
)
_WANTS = Pattern(
    r"(?i)\b(wants (to )?access (to )?your|wants additional access|is requesting (access|permission)"
    r"|would like (permission )?to"
    r"|this will allow .{1,60} to|möchte auf (ihr|dein)|quiere acceder a tu)\b"
)
_ASKED = Pattern(
    r"(?i)\b(connect|link|authori[sz]e|grant|integrat\w+|install|set ?up|(sign|log)(ing)? ?in (with|via|using|through)"
    r"|give .{0,40}access|verbinde\w*|verknüpf\w*|autorisier\w*|installier\w*|conecta\w*|vincula\w*|autoriza\w*)\b"
)


@specialist("click")
def app_access_granted(action: Action, context: Context) -> Opinion:
    """A consent page is recognised by its address or its text."""
    task = (context.task or "").strip()
    if not task:
        return refuse("the context has no task")
    label = label_of(action)
    grants = bool(_GRANTS.fullmatch(label))
    if not (grants or _GOES_ON.fullmatch(label)) or _ASKED.search(task[:8_000]):
        return ok()
    says_so = bool(_WANTS.search(page_text(context)[:8_000]))
    if not (says_so or (grants and _CONSENT.search(page_url(action, context)))):
        return ok()
    return nudge(
        f"“{label[:80]}” on a consent page gives an application access to the user's account, and the task does not ask"
        " for that.",
        correction="Press “Cancel” or go back. If the task cannot be done without it, tell the user which application"
        " asks for which rights.",
        sharper="Do not grant it. Leave the consent page.",
        evidence=(label, page_url(action, context)[:200]),
    )
