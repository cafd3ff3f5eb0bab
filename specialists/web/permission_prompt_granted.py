"""Lets a site send notifications, or use the location, camera, microphone or clipboard, without need."""

from supervisor.evidence.web.browsing import label_of, page_text
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_GRANTS = Pattern(
    r"(?i)(allow|always allow|allow (this time|once|while visiting the site)|enable|turn on|grant|zulassen|erlauben"
    r"|permitir"
    r"|autoriser)( (access|permission|the site|zugriff|acceso))?( (to|for|auf|a) .{0,30})?"
)
_NAMED = Pattern(
    r"(?i)(allow|always allow|enable|turn on|grant|share|use|zulassen|erlauben|aktivieren|permitir|activar"
    r"|autoriser)\b.{0,40}"
    r"\b(notifications?|location|camera|microphone|clipboard|contacts|benachrichtigungen|standort|kamera|mikrofon"
    r"|notificaciones|ubicación|cámara|micrófono)( access)?|(benachrichtigungen|standort|kamera|mikrofon) (zulassen"
    r"|erlauben)"
)
_PROMPT = Pattern(
    r"(?i)\b(wants to|would like to|möchte|quiere)\b[^\n]{0,40}\b(show|send(ing)? (you )?|know|use|access"
    r"|see)?[^\n]{0,30}"
    r"\b(notifications?|your location|camera|microphone|clipboard|benachrichtigungen|standort|notificaciones"
    r"|ubicación)\b"
)
_ASKED = Pattern(
    r"(?i)\b(notif\w*|alerts?|remind\w*|location|weather|forecast|near(by| me| here)|camera|microphone|video call"
    r"|photo|scan|record"
    r"|voice"
    r"|clipboard|permission|benachrichtig\w*|standort|kamera|mikrofon|in meiner nähe|notifica\w*|ubicación|cámara"
    r"|cerca)\b"
)


@specialist("click")
def permission_prompt_granted(action: Action, context: Context) -> Opinion:
    if not (context.task or "").strip():
        return refuse("the context has no task")
    label = label_of(action)
    prompted = bool(_GRANTS.fullmatch(label)) and bool(_PROMPT.search(page_text(context)))
    if not (prompted or _NAMED.fullmatch(label)) or _ASKED.search((context.task or "")[:8_000]):
        return ok()
    return nudge(
        f"“{label[:80]}” gives the site a permission that the task does not need.",
        correction="Press “Block” or dismiss the prompt, and go on with the task.",
        sharper="Dismiss the prompt. If the site does not work without the permission, tell the user.",
        evidence=(label,),
    )
