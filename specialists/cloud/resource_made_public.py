"""Opens a bucket, a database, a snapshot or an administration port to everybody."""

from supervisor.evidence.effects import Act
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="opens a resource to everybody",
    correction="Grant access only where it is needed: to a named principal or an address range of your own (`--cidr"
    " 10.0.0.0/8`), or a signed link (`aws s3 presign`).",
    sharper="Keep it private and ask the owner who needs access.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def resource_made_public(action: Action, context: Context) -> Opinion:
    found = changes(action, context, verbs=("expose",))
    return judged(found, _ADVICE, action, context)
