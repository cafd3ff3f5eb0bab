"""Gives a password or token to a program as an argument, where process lists and shell histories show it."""

from supervisor.evidence.changes.asked import is_named
from supervisor.evidence.effects import Act, Effect, effects
from supervisor.evidence.secrets import secrets_in
from supervisor.specialist import Action, Context, Finding, Opinion, flag, nudge, ok, specialist

_SAFER = {
    "curl": "keep it in ~/.netrc and use `curl --netrc`, or read the header from a file: `-H @header.txt`",
    "git": "use a credential helper (`gh auth setup-git`) and a URL without the token",
    "mysql": "keep it in ~/.my.cnf or a login path (`mysql_config_editor`)",
    "docker": "pass it on standard input: `docker login --password-stdin < password.txt`",
    "psql": "keep it in ~/.pgpass",
    "sshpass": "use a key with ssh-agent",
}
_ELSE = "have the program read it from a variable, a file that only you can read, or standard input"


@specialist("shell", "python", "javascript", about=[Act.REVEAL])
def credential_on_command_line(action: Action, context: Context) -> Opinion:
    found = [each for each in effects(action, context).of(Act.REVEAL) if each.verb == "argument"]
    return max((_judge(each, context) for each in found), key=lambda finding: finding.verdict, default=ok())


def _judge(effect: Effect, context: Context) -> Finding:
    """A token in an issuer's format is nudged; any other password is flagged, because it may be a test's."""
    program = effect.command.program if effect.command else ""
    tokens = tuple(secret.token for secret in secrets_in(effect.target))
    if not tokens and is_named(effect.target, context):
        return ok()
    reason = f"It gives {program} a {'credential' if tokens else 'password'} as an argument, where every process list"
    if not tokens:
        return flag(f"{reason} shows it.", confidence=0.5)
    advice = _SAFER.get(program, _ELSE)
    return nudge(f"{reason} shows it.", correction=f"{advice[0].upper()}{advice[1:]}.", evidence=tokens)
