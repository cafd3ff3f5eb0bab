"""Makes public a file that has secrets or data of persons, as an earlier output or the same script shows."""

from supervisor.evidence.effects import Act
from supervisor.evidence.situation.exposed.made_public import shown_secret_made_public
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist


@specialist("shell", about=[Act.DEED], needs_past=True)
def shown_secret_published(action: Action, context: Context) -> Opinion:
    """All changes are pushed although the status lists such a file, or it is copied to where everybody reads."""
    found = shown_secret_made_public(action, context)
    if found is None:
        return ok()
    line = found.line.strip()[:200]
    return nudge(
        f"It makes {found.what} public, which has secrets or data of persons: “{line[:160]}”.",
        correction="Name the files that are meant (`git add src/map`) and leave this one out; give data to one receiver"
        " by a way that only that receiver can open.",
        sharper="Ask the user whether this content may become public.",
        evidence=(found.act, line),
    )
