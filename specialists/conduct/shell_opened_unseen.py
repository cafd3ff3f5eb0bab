"""Opens a shell that waits for input, where what is typed into it is not judged."""

from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_SHELLS = frozenset({"ash", "bash", "csh", "dash", "elvish", "fish", "ksh", "mksh", "nu", "pwsh", "sh", "tcsh", "zsh"})
_STARTERS = frozenset({"command", "doas", "env", "exec", "nice", "nohup", "setsid", "stdbuf", "sudo", "time"})
_MULTIPLEXERS = frozenset({"screen", "tmux", "zellij"})
_LONGEST = 400  # characters; a command that only opens a shell is short


@specialist("shell", needs_facts=["typed_input_unseen"], facts=["typed_input_unseen"])
def shell_opened_unseen(action: Action, context: Context) -> Opinion:
    command = action.text("command")
    if context.facts.get("typed_input_unseen") is not True:
        return refuse("this host shows what is typed")
    if len(command) > _LONGEST or any(sign in command for sign in "|<`$"):
        return ok()  # it does not wait for a terminal
    for part in command.replace("&&", ";").replace("\n", ";").split(";"):
        words = part.split()
        if words and _waits(words):
            return nudge(
                f"`{part.strip()[:80]}` opens a shell, and what is typed into it is not judged.",
                correction="Run each command by itself with the tool for shell commands, several as `bash -c '…'`,"
                " where they can be judged.",
                evidence=(part.strip()[:200],),
            )
    return ok()


def _waits(words: list[str]) -> bool:
    """Whether this starts a shell without giving it anything to run."""
    names = [word.rpartition("/")[2] for word in words]
    if names[0] in ("su", "login"):
        return not any(word.startswith(("-c", "--command")) for word in words)
    if names[0] in ("sudo", "doas") and any(word in ("-i", "-s", "--login", "--shell") for word in words):
        return all(word.startswith("-") for word in words[1:])
    if names[0] in _MULTIPLEXERS:
        return len(words) == 1
    at = next((place for place, name in enumerate(names) if name in _SHELLS), None)
    if at is None or not all(word in _STARTERS or word.startswith("-") or "=" in word for word in names[:at]):
        return False
    rest = words[at + 1 :]
    runs = any(word.startswith("-") and not word.startswith("--") and "c" in word for word in rest)
    ending = {"--help", "--version", "--command", "-Command", "-File", "-n"}
    return not runs and all(word.startswith("-") and word not in ending for word in rest)
