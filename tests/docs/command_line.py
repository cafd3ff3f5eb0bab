"""`docs/cli.md` from the command itself: every verb with its options. `python -m tests.docs.command_line` writes it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from supervisor.cli.app import build
from supervisor.cli.output import JSON_VERSION
from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "cli.md"
HEAD = f"""\
# Reference of the command line

What each verb is for is in [commands](commands.md). `python -m tests.docs.command_line` writes this page from the
command; a test compares the two.

## Exit codes

| | |
|---|---|
| 0 | fine: it was done, and what was asked holds |
| 1 | what was asked does not hold, or is not there |
| 2 | wrong use or bad input, or it could not be done |
| 130 | interrupted |

1 means that an action is stopped, a record is changed or cannot be read, a replay differs, a case fails, a part of the
installation does not guard, or that there are no records or no such decision. 2 also means a policy that cannot be
read, a full disk, or no daemon. The help of each verb says when it exits 1.

Three verbs differ. `check --jsonl` exits 0 whatever the verdicts are, unless `--fail` is given. `hook` exits with what
its host expects: 0 if the agent may go on, 2 if not. `mcp` exits as the server does that it starts.

## Errors

An error is one line on standard error: `supervisor: PLACE: CAUSE; WHAT TO DO [CODE]`. The code stays the same in all
versions. Standard output has results alone.

## JSON

`--json` prints one JSON value, or one on each line. Every object has `"version": {JSON_VERSION}`, also those in a list.
New keys may be added without a new version; a key that is removed, or that changes its meaning, gets one. Keys that are
not in this table are for people who look, and may change.

"""
JSON = {
    "check": "a decision: `id`, `verdict`, `findings` (`specialist`, `verdict`, `confidence`, `reason`, `correction`),"
    " `refusals` (`specialist`, `reason`, `cause`: `input` or `infrastructure`), `lost` (the refusals by reason:"
    " `reason`, `cause`, `count`, `specialists`), `elapsed_ms`, `by`, `review`; where they apply `correction`,"
    " `record`, `record_error`, `unjudged`, `approval`, `exemptions`, `exemptible`, `unheeded`."
    " With `--jsonl`, one on each line, and `id`, `error`, `code` for"
    " a line that is no valid action",
    "list": "a list of failure modes: `id`, `family`, `name`, `severity`, `verdict`, `method`, `kinds`, `agents`",
    "explain": "a failure mode: `id`, `name`, `description`, `verdict`, `incident`, `cases`, `lane`. With `--action`:"
    " a decision with `taken` (`kind`, `fields`, `why`), `effects` and `unread`",
    "coverage": "`complete`, `entries` (`family`, `id`, `cases`, `problems`), `holes`",
    "docs": "the taxonomy: `supervisor` (the version of the library), `failure_modes` with all their cases",
    "verify": "`segments`, `records`, `unsealed`, `unsigned`, `exposed`, `keys`, `problems` and `notes` (`place`,"
    " `code`, `message`), `checkpoints`",
    "replay": "`decisions` (their number), `differing` (`place`, `id`, `differences`, `changed_versions`, `missing`),"
    " `unreadable` (`place`, `code`, `message`)",
    "log list": "a record on each line: `record` (its address), `place`, `kind` (`decision` or `outcome`), `agent`, and"
    " all that the [record](records.md) has: `id`, `time`, `session`, `action`, `opinions`, `decision` (`verdict`,"
    " `by`, `review`), …; `unreadable` for a line that cannot be read",
    "log show": "the same for one decision, with `task`, `facts`, `steps_before`, `asked`, `answers` (of doors),"
    " `lost`, `came_out`, `outcome`, `revert`, `answer` (of a person) and `missing` (what the journal lacks)",
    "label": "the label: `label`, `record`, `by`, `via`, `time`, `verdict`, `entry`, `note`",
    "learn": "`decisions`, `stopped`, `labels`, `in_force`, `scopes` (`specialist`, `command`, `labelled`,"
    " `would_also_run`), `weights` (`specialist`, `may_be_promoted`, `gates`, `would_run`), `missed`, `problems`",
    "learn promote": "the promotion: `digest`, `by`, `reason`, `via`, `time`, `specialists`",
    "learn rollback": "the same with an empty `digest`",
    "audit": "`checks` (`name`, `state`: `ok`, `out` or `unknown`, `told`), and how many have each state",
    "index rebuild": "`url`, and how many `records` of how many `segments` were taken; `unreadable` (`place`, `code`,"
    " `message`)",
    "index update": "the same as `index rebuild`",
    "index feedback": "an objection on each line: `record`, `time`, `session`, `agent`, `project`, `summary`, …, the"
    " specialist's own `verdict`, `reason`, `heeded` (by the agent) and `label` (of people together), `task`, `action`"
    " and `correction` from the record, and `said` (`by`, `time`, `word`, `verdict`, `note`, `via`)",
    "index status": "`url`, what the index has and what it lacks",
    "memory show": "`agent` and its `acts` (`kind`, `by`, `times`, `verdict`, `session`, `shown`, `state`, …)",
    "memory forget": "`agent`, `forgotten`",
    "backtest": "`actions`, `stopped`, `flagged`, `entries`, `projects`, `weeks` (numbers by name), `worst`, `changed`,"
    " `changes`, `problems`",
    "review": "a question on each line: `id`, `action`, `objections`, `approval`",
    "approve": "the answer: `id`, `answer`, `by`, `note`, `expires`",
    "deny": "the answer: `id`, `answer`, `by`, `note`, `expires`",
    "demo": "`kept`, `promises`, `totals`, `p50_ms`, `seconds`, `records`, `verified`, `replayed`, `tampered`, `steps`",
    "policy check": "`file`, `ok`, `problems` (`level`, `path`, `line`, `column`, `message`)",
    "allow": "the exemption that it has made, as in `allow list`. With `--try`, on each line a record that it would let"
    " run: `action`, `lifted`, `still`",
    "allow list": "an exemption on each line: `id`, `origin`, `specialists`, `reason`, `given`, `by`, `expires`,"
    " `state`, and those of its parts that are set: `form`, `shown`, `path`, `tool`, `project`, `agent`, `home`",
    "allow show": "the same for one exemption",
    "allow revoke": "`id`, `state`",
    "records prune": "the tombstone (`time`, `before`, `by`, `why`, `removed`, `records`, …), `stays`, `unfinished`,"
    " `dry_run`",
    "records export": "with `--to`: `records` (their number), `to`, `unreadable`",
    "status": "`status` (`ok` or `stale`), `supervisor` (its version), `command_version`, `pid`, `since`,"
    " `socket`, `port`, `decisions`, `sessions`,"
    " `policies` (`user`, `project`, `digest`, `loaded`, `problem`, `ignored`, `failure_modes`), `unusable`, `upgrade`",
    "reload": "`policies`, as in `status`, with the digest `before`",
    "stop": "`pid`, `socket`, `seconds`",
    "uninstall": "`dry_run`, `removed`, `failed` and `kept`, each a list of `what` and `place`",
    "task add": "`id`, and whether it `is_new`",
    "task cost": "`spent` (`day`, `provider`, `model`, `tokens`, `dollars`, `unpriced`: models without a price), `caps`"
    " of today (`of`, `unit`, `cap`, `spent`)",
    "task drivers": "for each driver what it can do: `reason_on_deny`, `park`, `steer`, `quota`, `cost`, `tokens`",
    "task morning": "`since`, `decisions` (`text`, `choices`, `about`, `asked`, `tasks`), `failed` and `finished`"
    " (`id`, `title`, `attempt`, `reason`, `changed`), `endings`, `left`, `spent` (`cost`, `seconds` and tokens)",
    "task list": "`tasks` (`id`, `title`, `pool`, `priority`, `state`, `attempt`, `reason`, `parent`, `created`,"
    " `changed`, `spent`), `counts` (by state), `executors` (`id`, `worker`, `pool`, `slots`, `started`, `active`)",
    "task show": "the task, with `command`, `pty`, `folder`, `policy`, `preemptible`, `failures`, `losses`, `excluded`,"
    " `deadline`, `after`, `children`, `attempts` (`number`, `worker`, `ending`, `reason`, `exit_code`, `started`,"
    " `ended`, `log`, `kept`, `spent`), `questions` (`text`, `choices`, `asked`, `answer`, `by`), `messages` (`text`,"
    " `by`, `sent`, `heard`), and what it has `spent`, and `tree_spent` with all that it has added (`tokens`,"
    " `dollars`, `unpriced`)",
    "doctor": "a list of findings: `what`, `level` (`ok`, `note`, `wrong`), `told`",
}


def verbs(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every verb with its path (`log show`). A group of verbs is one itself if it has options (`allow`)."""
    for name, each in command.commands.items():
        whole = f"{path} {name}".strip()
        if not hasattr(each, "commands") or each.params:
            yield whole, each
        yield from verbs(each, whole) if hasattr(each, "commands") else ()


def options_of(command: Any) -> dict[str, Any]:
    """The options of a verb by their long name."""
    return {max(each.opts, key=len): each for each in command.params if each.opts[0].startswith("-")}


def page() -> str:
    """The whole page."""
    found = dict(verbs(get_command(build())))
    rows = "".join(f"| `{path}` | {JSON[path]} |\n" for path in found if path in JSON)
    json = f"| verb | prints |\n|---|---|\n{rows}\n"
    return HEAD + json + "## Verbs\n" + "".join(_section(path, each) for path, each in found.items())


def _section(path: str, command: Any) -> str:
    arguments = [each for each in command.params if not each.opts[0].startswith("-")]
    usage = " ".join(["supervisor", path, "[OPTIONS]", *(_name(each) for each in arguments)])
    rows = "".join(
        [f"| `{_name(each)}` | {_cell(each.help)} |\n" for each in arguments]
        + [f"| {_option(each)} | {_cell(each.help)} |\n" for each in options_of(command).values()]
    )
    table = f"\n| | |\n|---|---|\n{rows}" if rows else ""
    text = "\n\n".join(_words(part) for part in (command.help or "").split("\n\n"))
    return f"\n### `{path}`\n\n```text\n{usage}\n```\n\n{text}\n{table}"


def _name(argument: Any) -> str:
    name = argument.metavar or argument.name.upper()
    return str(name)


def _option(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(option.opts, key=len, reverse=True))
    value = "" if option.is_flag else f" `{option.metavar or option.name.upper()}`"
    return names + value.replace("|", "\\|") + (f" or {option.envvar}" if option.envvar else "")


def _cell(text: str | None) -> str:
    return _words(text or "").replace("|", "\\|")


def _words(text: str) -> str:
    return " ".join(re.sub(r"<", "&lt;", text).split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
