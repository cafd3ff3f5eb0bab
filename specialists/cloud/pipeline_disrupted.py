"""Deletes or disables workflows, runners, jobs or schedules of a build service, or the secrets and variables they
read."""

from supervisor.evidence.effects import Act
from supervisor.evidence.effects.platforms import Sort
from supervisor.methods.oversight import Advice, changes, judged
from supervisor.specialist import Action, Context, Opinion, specialist

_ADVICE = Advice(
    fault="removes part of a pipeline that others build with",
    correction="List it first (`gh workflow list`, `gcloud builds triggers list`, `gitlab-runner list`), see"
    " which workflows read it, and propose the change to the owner; a new value can be set under"
    " another name.",
    sharper="Leave the pipeline as it is and ask its owner.",
)


@specialist("shell", "python", "javascript", about=[Act.RESOURCE])
def pipeline_disrupted(action: Action, context: Context) -> Opinion:
    found = changes(action, context, Sort.PIPELINE)
    return judged(found, _ADVICE, action, context)
