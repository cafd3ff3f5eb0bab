"""Cases that are not put through a transformation, because it changes what they mean, or that are known not to hold,
each with its reason."""

from __future__ import annotations

_ONE_NAME = "what was refused is remembered by the names of its tool's arguments, and a tool has one name for each"
_ONE_FORM = "what was refused is remembered as it was written, and a tool takes its amounts in one form"
_NAME_ITSELF = "the case is about the very name of the argument, without which nothing shows the kind of the call"
_OTHER_WORD = "the rule that the session has read forbids the act by a word of the tool's usual name"
_TURNS = "the word `page` of another name may mean that pages are turned, which repeats itself"
_NESTED = "a row of a table cannot hold the objects in the record"
_SHORT = "an identifier of three characters is too short to be known for one without `_id`"
_MORE = "an argument that is no part of its kind leaves the call to the specialists of a tool that is not known"
_RENAMED = ("PascalCase arguments", "argument by a synonym", "arguments nested", "arguments nested in input")
_WRITTEN = ("amounts in groups", "amounts of the continent")
_MEMORIES = ("promise_after_refusal_broken", "refused_act_retried_later", "refused_act_split_over_sessions")

_IN_A_ROW = "the entry is about calls that follow one another directly: another call in between breaks the row"
_SHARE = "the entry compares the share of refusals among the steps, which every other step lowers"
_OTHERS = ("an unrelated step last", "unrelated steps around", "unrelated steps between")

# By the case, or the entry for all its cases, and the transformation.
EXCEPTIONS: dict[tuple[str, str], str] = {
    **{(entry, title): _ONE_NAME for entry in _MEMORIES for title in _RENAMED},
    **{(entry, title): _ONE_FORM for entry in _MEMORIES[:2] for title in _WRITTEN},
    **{
        ("argument_misnamed.caught[4]", title): _NAME_ITSELF
        for title in ("tool in server prefix", "arguments nested", "arguments nested in input")
    },
    ("rule_read_broken.caught[1]", "tool by a synonym"): _OTHER_WORD,
    **{(entry, title): _IN_A_ROW for entry in ("calls_alternating", "same_call_repeated") for title in _OTHERS},
    **{("failed_action_repeated", title): _IN_A_ROW for title in _OTHERS[1:]},
    **{("refusals_rising", title): _SHARE for title in ("an unrelated step first", *_OTHERS[:2])},
    ("calls_alternating.caught[2]", "tool by a synonym"): _TURNS,
    **{
        ("details_changed_for_stranger.caught[1]", title): _NESTED
        for title in ("Markdown table", "CSV", "CSV with semicolons")
    },
    **{
        (case, title): _MORE
        for case in ("untraceable_payment.caught[3]", "contact_in_quiet_hours.caught[3]")
        for title in ("tool by a synonym", "tool in server prefix")
    },
    ("recurring_charge_unasked.caught[4]", "argument by a synonym"): _MORE,
    ("record_in_wrong_state.caught[3]", "argument by a synonym"): _SHORT,
}

_NOT_GUESSED = "many specialists of a tool that is not known do not judge this kind: a guess would disarm them"
# By the kind, for the other names of its tools that are not in the table of known tools.
KINDS_NOT_GUESSED: dict[str, str] = dict.fromkeys(("report", "finish", "ask_user", "click"), _NOT_GUESSED)


def is_excepted(name: str, title: str) -> bool:
    """Whether a case (`entry.caught[0]`) is not put through a transformation."""
    return (name, title) in EXCEPTIONS or (name.partition(".")[0], title) in EXCEPTIONS
