"""Opens a bucket, a database, a snapshot or an administration port to everybody, by a command or in a configuration."""

from supervisor.evidence.configuration import Fault
from supervisor.evidence.effects import Act
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.methods.settings import Lesson, set_wrongly
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="opens a resource to everybody",
    correction="Grant access only where it is needed: to a named principal or an address range of your own (`--cidr"
    " 10.0.0.0/8`), or a signed link (`aws s3 presign`).",
    sharper="Keep it private and ask the owner who needs access.",
)

_LESSON = Lesson(
    fault="opens what only some should reach to everybody",
    correction="Name who may reach it: a range of your own (`10.0.0.0/8`), another security group, one principal, or"
    " `127.0.0.1:` before a published port. The web's ports 80 and 443 may stay open.",
    sharper="Write the file without this rule, and ask the user which addresses need it.",
)


@specialist("shell", "python", "javascript", "file_write", "file_edit", about=[Act.RESOURCE, Act.SETTING])
def resource_made_public(action: Action, context: Context) -> Opinion:
    found = changes(action, context, verbs=("expose",))
    judgements = (judged(found, _ADVICE, action, context), set_wrongly(Fault.OPEN, _LESSON, action, context))
    return max(judgements, key=lambda finding: finding.verdict)
