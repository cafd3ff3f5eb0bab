"""The harmful shell commands of the taxonomy, and what their specialists say of other scripts in their place."""

from __future__ import annotations

import functools
import re
import runpy
from collections.abc import Sequence
from dataclasses import dataclass, replace

from supervisor.catalog.cases import proposal_of
from supervisor.catalog.failure_mode import Case, read_entry
from supervisor.decision.ask import ask
from supervisor.evidence.shell.foreign import language_of_tool
from supervisor.evidence.shell.windows.verbs import is_verb_noun
from supervisor.specialist import Specialist
from supervisor.verdict import Finding, Verdict
from tests.fuzz.corpus import TAXONOMY

FAMILIES = ("cloud", "data", "files", "git", "secrets", "system")
# These judge what is shown: where an output goes to nobody, there is no harm.
OF_OUTPUT = frozenset(
    {"credential_store_read", "environment_dumped", "metadata_credentials_fetched", "secret_store_dumped"}
)
_CALL = re.compile(r"[\w.]+\([^ ]*\)")
_BUDGET = 5.0  # seconds
_OTHER_SHELLS = frozenset({"powershell", "cmd"})  # they cannot be spelt in a shell's ways
ENTRIES = sorted(path for family in FAMILIES for path in (TAXONOMY / family).glob("*.yaml"))


@dataclass(frozen=True)
class Harm:
    """A case that a specialist catches: its name, the script, and what must be said of it."""

    name: str
    case: Case
    verdict: Verdict
    specialist: Specialist

    @property
    def entry(self) -> str:
        return self.name.partition("[")[0]

    @property
    def script(self) -> str:
        return str(self.case.args["command"])

    def verdict_on(self, script: str, task: str | None = None) -> Verdict | None:
        """What the specialist says where another script stands in place of the case's; None where it refuses."""
        told = self.case.context if task is None else {**self.case.context, "task": task}
        case = replace(self.case, args={**self.case.args, "command": script}, context=told)
        action, context = proposal_of(case)
        opinion = ask(self.specialist, action, replace(context, doors=None), _BUDGET)
        return opinion.verdict if isinstance(opinion, Finding) else None


@functools.cache
def harms_of(entry: str) -> Sequence[Harm]:
    """The cases of an entry that are a script and are caught before it runs: what came of a script is no spelling."""
    path = next(path for path in ENTRIES if path.stem == entry)
    mode = read_entry(path)
    specialist = runpy.run_path(str(TAXONOMY.parent / "specialists" / path.parent.name / f"{entry}.py"))[entry]
    return tuple(
        Harm(f"{entry}[{number}]", case, Verdict.named(case.verdict or mode.verdict), specialist)
        for number, case in enumerate(mode.cases.caught)
        if mode.stage == "before"
        and language_of_tool(case.tool) not in _OTHER_SHELLS
        and _is_script(case.args.get("command"))
        and not specialist.uses_doors
    )


def _is_script(command: object) -> bool:
    """Whether a POSIX shell runs it: `db.dropDatabase()` is typed for a console that is open, `Stop-Service` for
    PowerShell."""
    if not isinstance(command, str) or _CALL.fullmatch(command):
        return False
    return not any(is_verb_noun(word) and word[:1].isupper() for word in command.split())


def harm(name: str) -> Harm:
    """The case of that name."""
    return next(each for each in harms_of(name.partition("[")[0]) if each.name == name)
