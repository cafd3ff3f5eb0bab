"""What is known not to hold, case by case and transformation by transformation, each with its reason."""

from __future__ import annotations

_CALLED_FROM_OUTSIDE = "a function may be called from elsewhere, so what it would do is looked for in the text"
_NAMES_IN_STRINGS = "only Python is parsed here: of other code, names in a string count as those of functions"

# With these the output goes to nobody: to no device, or to a variable that nothing prints. Of what shows secrets, that
# changes the effect.
UNSEEN = (
    *("no output", "all output to nothing", "two redirections first", "group, redirected", "nohup sh -c"),
    *("read from", "exported", "array of its output", "tested"),
)
RESPELT: dict[tuple[str, str], str] = {}
MENTIONED: dict[tuple[str, str], str] = {
    **dict.fromkeys(
        (
            (name, "function that nobody calls")
            for name in (
                "logs_cleared[1]",
                "logs_cleared[2]",
                "machine_resources_exhausted[0]",
                "machine_resources_exhausted[1]",
                "machine_resources_exhausted[3]",
            )
        ),
        _CALLED_FROM_OUTSIDE,
    ),
    ("obfuscated_execution[7]", "JavaScript string"): _NAMES_IN_STRINGS,
    ("obfuscated_execution[8]", "JavaScript string"): _NAMES_IN_STRINGS,
}
