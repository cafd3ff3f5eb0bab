"""Sends rows about people to a model of another company."""

import re
from collections.abc import Iterator

from supervisor.evidence.analysis import NO_ANALYSIS, Event, Flow, Spot, analysis, spot, unless
from supervisor.evidence.effects import Act
from supervisor.specialist import Action, Context, Opinion, nudge, ok, refuse, specialist


@specialist("python", "file_write", "file_edit", "shell", about=[Act.ANALYSIS])
def personal_data_to_outside_model(action: Action, context: Context) -> Opinion:
    read = analysis(action, context)
    if read is None:
        return refuse(NO_ANALYSIS)
    for found in read.spots(_sent):
        return nudge(
            f"{found.where}`{found.text}` sends rows about people ({found.about}) to a model outside.",
            correction="Send what the question needs without the people: aggregates, the names and types of"
            " columns, or rows"
            " with the identifying columns dropped or replaced; or ask a model that runs here.",
            evidence=(found.text,),
        )
    return ok()


def _sent(flow: Flow) -> Iterator[Spot]:
    return unless(lambda: _HARMLESS.search(flow.text) is not None, _found(flow))


def _found(flow: Flow) -> Iterator[Spot]:
    for event in flow.events:
        if not _is_request(event):
            continue
        mark = next((mark for value in event.given for mark in value.marks if mark.kind == "rows"), None)
        if mark is not None:
            yield spot(flow, event.line, mark.line, about=mark.note)


_HARMLESS = re.compile(
    r"(?i)anonymi[sz]|pseudonymi[sz]|redact|mask(?:ed|_pii)|hash(?:lib|ed)|presidio|scrub|de.?identif"
    r"|localhost|127\.0\.0\.1"
    r"|ollama|vllm|llama_cpp|transformers|synthetic|fake"
)
_CREATES = (
    "completions.create",
    "messages.create",
    "responses.create",
    "embeddings.create",
    "chat.complete",
    "beta.create",
)
_ASKS = frozenset({"generate_content", "completion", "acompletion", "chat_completion", "invoke_model"})
_HOSTS = ("api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com", "api.mistral.ai", "api.cohere")


def _is_request(event: Event) -> bool:
    if event.name.endswith(_CREATES) or event.method in _ASKS:
        return True
    hosts = (str(value.const) for value in event.args[:1])
    return event.method in ("post", "request") and any(host in each for each in hosts for host in _HOSTS)
