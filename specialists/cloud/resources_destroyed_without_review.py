"""Destroys cloud resources at once, where a plan or a dry run would have shown what goes."""

from supervisor.evidence.cloud import Rehearsal, destroys
from supervisor.evidence.shell import script, shown
from supervisor.specialist import Action, Context, Opinion, nudge, ok, specialist

_CORRECTIONS = {
    Rehearsal.LIST: "List what it would destroy with the matching `list` or `describe` command, and have the owner"
    " confirm it.",
    Rehearsal.PLAN: "Save a plan with `{program} plan -destroy -out=destroy.tfplan`, show it to the owner, and apply"
    " that plan.",
    Rehearsal.PREVIEW: "Run `pulumi destroy --preview-only` first and show the owner what would go.",
    Rehearsal.DIFF: "Run `cdk list` and `cdk diff`, and have the owner confirm the stacks.",
    Rehearsal.DRY_RUN: "Run it with `--dry-run` first, and have the owner confirm what would go.",
    Rehearsal.DRY_RUN_SERVER: "Run it with `--dry-run=server` first and show the owner what would go.",
    Rehearsal.DRYRUN: "Run it with `--dryrun` first and show the owner what would go.",
    Rehearsal.SNAPSHOT: "Name a final snapshot (`--final-db-snapshot-identifier <name>`) in place of"
    " `--skip-final-snapshot`.",
}


@specialist("shell")
def resources_destroyed_without_review(action: Action, context: Context) -> Opinion:
    for command in script(action, context).commands:
        rehearsal = destroys(command)
        if rehearsal:
            return nudge(
                f"`{shown(command.text)}` destroys cloud resources that nobody has reviewed.",
                correction=_CORRECTIONS[rehearsal].replace("{program}", command.program),
                sharper="Leave the resources as they are and ask their owner to decide.",
                evidence=(command.text[:200],),
            )
    return ok()
