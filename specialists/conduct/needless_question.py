"""Asks for permission to go on with what the task already asks for."""

import re

from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist

MOST_READ = 4_000  # characters; a longer text is a report, not a bare question

_GO = (
    r"(?:continue|proceed|go ahead|go on|move on|carry on|keep going|start|begin|resume|get started|do (?:so|it|that))"
)
_OBJECT = (
    r"(?: (?:with|to|on|and|the|this|that|these|those|it|my|our|your|all|rest|of|next|remaining|other|steps?|parts?"
    r"|tasks?|work|plan|items?|phases?|implementation|implementing|fix(?:es)?|changes?"
    r"|one|files?|tests?|\d+|now|then|as|planned|working)){0,10}"
)
_LEAD = r"(?:(?:so|ok|okay|great|now|then|next|and|but|please|all right|alright)[, ]+){0,3}"
_ASKED = re.compile(
    rf"{_LEAD}(?:"
    rf"(?:shall|should|may|can|could|do) (?:i|we) (?:now |please |just )?{_GO}{_OBJECT}"
    rf"|(?:would you like|do you want|would you prefer|want|do you wish) (?:me|us) to (?:now )?{_GO}{_OBJECT}"
    rf"|(?:is it|is that|are you|would it be) (?:ok|okay|fine|all right|alright|good|happy)(?: with you)?"
    rf" (?:if (?:i|we)|for me to|to|that i) {_GO}{_OBJECT}"
    rf"|(?:do i have|may i have) your (?:permission|approval|go-ahead|ok) to {_GO}{_OBJECT}"
    rf"|(?:ready|may i|permission) (?:for me )?to {_GO}{_OBJECT}"
    rf"|(?:continue|proceed|go ahead){_OBJECT}"
    r")\?"
)
# A question is justified by something that cannot be undone, costs money, or affects others.
_WEIGHTY = re.compile(
    r"\b(delet|remov|drop|wip|eras|destroy|overwrit|purg|truncat"
    r"|reset|revert|rollback|force|irreversib|permanent"
    r"|production|prod\b|live\b|deploy|releas|publish|push|merg|send|email|post\b|pay"
    r"|charg|purchas|buy|order|cost|price|refund"
    r"|transfer|credential|password|secret|permission|access|public|customer|risk|danger|downtime|migrat|licen[cs]e|legal"
    r"|fail|error|conflict|missing|unclear|ambiguous|instead|however|unless|although|but )|[$€£]"
)
_TASK_WANTS_IT = re.compile(
    r"\b(ask|confirm|check (in|with)|approv|before you|step by step|one at a time|wait for|pause|let me (know|decide)"
    r"|permission|sign.?off|consult)"
)


@specialist("ask_user")
def needless_question(action: Action, context: Context) -> Opinion:
    """A question is needless if it only means "shall I go on?". A choice, a gap or a risk justifies a question."""
    question = " ".join(action.text("question")[: MOST_READ + 1].lower().split())
    if not question or not (context.task or "").strip():
        return refuse("there is no question in words, or no task that could have answered it")
    if len(question) > MOST_READ or _WEIGHTY.search(question) or _TASK_WANTS_IT.search((context.task or "").lower()):
        return ok()
    asked = [sentence for sentence in re.split(r"(?<=[.!?:]) ", question) if sentence.endswith("?")]
    if not asked or not all(_ASKED.fullmatch(sentence) for sentence in asked):
        return ok()
    return nudge(
        f"It asks {asked[-1][:120]!r}, and the task already asks for the work.",
        correction="Go on with the task without asking. Ask only when you need a choice, an answer or an approval that"
        " the task does not give.",
        sharper="Do the next step of the task now, or finish and report what is done.",
        evidence=(asked[-1][:200],),
    )
