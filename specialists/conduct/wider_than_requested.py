"""Does to more things than the user requested: by a pattern, a missing filter, a word for everything, a container."""

from supervisor.evidence.effects import Act
from supervisor.evidence.session.bounds import beyond_bounds
from supervisor.evidence.session.rights import more_rights_than_asked
from supervisor.evidence.shell import shown
from supervisor.evidence.situation.wider.extent import beyond_request
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("shell", about=[Act.DEED, Act.WIDE], facts=["now"])
def wider_than_requested(action: Action, context: Context) -> Opinion:
    if not context.task:
        return refuse("the context has no request")
    for beyond in beyond_request(action, context):
        besides = f" It also takes {', '.join(map(shown, beyond.besides))}." if beyond.besides else ""
        return nudge(
            f"The request says {shown(beyond.named)}, but this is done to more than that ({shown(beyond.mark)}):"
            f" `{shown(beyond.text)}`.{besides}",
            correction=f"Name what the request names ({shown(beyond.named)}), and leave the rest as it is. If that"
            " cannot be done, ask the user.",
            sharper="Do not do this to everything. List what it would take first, and ask the user what else may be"
            " touched.",
            evidence=(beyond.text[:500],),
        )
    unbounded = beyond_bounds(action, context)
    if unbounded is not None:
        return nudge(
            f"The request says “{shown(unbounded.said)}”, and this goes on for {shown(unbounded.mark)}.",
            correction="Do it as often as the request says, with a limit that ends it (`--limit`, `--max-spend`).",
            sharper="Tell the user what it would cost, and wait for an answer.",
            evidence=(unbounded.mark, unbounded.said),
        )
    given = more_rights_than_asked(action, context)
    if given is None:
        return ok()
    return nudge(
        f"It gives more rights than the request asks for ({shown(given.word)}; {given.why}): `{shown(given.text)}`.",
        correction="Give only the person or the host that the user named the right that the user named.",
        sharper="Do not widen the access. Ask the user who needs which right.",
        evidence=(given.text[:500],),
    )
