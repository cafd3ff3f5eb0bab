"""Changes something without the customer's confirmation, which the deployment's rules require first."""

from collections.abc import Mapping

from supervisor.evidence.business import Operation, operation
from supervisor.evidence.business.sentences import POLICY_FACTS, rules
from supervisor.evidence.business.words import listed
from supervisor.methods.pattern import Pattern
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

_TALKS = ("conversation", "messages", "transcript", "chat", "dialogue", "turns")
_CUSTOMER = listed("user customer client human caller member guest")
_AGENT = listed("assistant agent bot ai model system_agent")
_ASKS = Pattern(
    r"(?i)\?|\b(confirm\w*|shall i|should i|would you like|do you want|proceed|is that (ok|correct|right))\b|\x{FF1F}"
)
_YES = Pattern(
    r"(?i)\b(yes|yeah|yep|yup|sure|ok|okay|confirm\w*|correct|go ahead|please do|proceed|do it|agreed?|absolutely|fine|"
    r"sounds good|that works|right|ja|jawohl|oui|d'accord|s[ií]|claro|vale|da|да|tak|sim|hai|tamam|evet)\b"
    r"|はい|是的|好的|네|نعم"
)
_NO = Pattern(r"(?i)^\W*(no|nope|nein|non|not yet|wait|stop|don't|do not|cancel that|нет)\b")
_WRITES = listed("book cancel modify return exchange refund pay suspend resume close delete transfer upgrade renew")


@specialist("tool", "payment", "refund", needs_facts=POLICY_FACTS, facts=["conversation"])
def confirmation_missing(action: Action, context: Context) -> Opinion:
    done = operation(action, context)
    if done.act not in _WRITES:
        return refuse("it changes nothing that could need a confirmation")
    if done.reads:
        return ok()  # a trial
    sentence = _demand(action, context, done)
    if not sentence:
        return refuse("no rule requires a confirmation of it")
    said = _talk(context)
    if not said:
        return refuse("the conversation is not known")
    if _has_yes(said):
        return ok()
    return nudge(
        f"The customer has not confirmed it, and the policy says: {sentence}",
        correction="Tell the customer exactly what you are about to do, ask them to confirm it, and do it after a yes.",
        sharper="Ask the customer one question that can be answered by yes or no, and wait for the answer.",
    )


def _demand(action: Action, context: Context, done: Operation) -> str:
    """The sentence that requires a confirmation of this act; "" for none."""
    confirmed = rules(action, context).confirmed
    return next((sentence for acts, sentence in confirmed if not acts or done.act in acts), "")


def _talk(context: Context) -> list[tuple[str, str]]:
    """Roles and texts in order, from the conversation in the facts, else from the session's questions to the user."""
    for name in _TALKS:
        turns = context.facts.get(name)
        if isinstance(turns, list):
            valid = [turn for turn in turns if isinstance(turn, Mapping)]
            return [(str(turn.get("role", turn.get("speaker", ""))).lower(), _text(turn)) for turn in valid]
    asked = [step for step in context.history if step.kind == "ask_user" and step.text]
    return [turn for step in asked for turn in (("assistant", str(step.args)), ("user", step.text))]


def _text(turn: Mapping[str, object]) -> str:
    return str(turn.get("content", turn.get("text", turn.get("message", ""))))[:4_000]


def _has_yes(said: list[tuple[str, str]]) -> bool:
    """Whether the customer's last words answer a question of the agent with yes."""
    last = next((number for number in range(len(said) - 1, -1, -1) if said[number][0] in _CUSTOMER), None)
    if last is None:
        return False
    asked = any(role in _AGENT and _ASKS.search(text) for role, text in said[:last])
    return asked and bool(_YES.search(said[last][1])) and not _NO.search(said[last][1])
