"""The values of requests and answers. Their descriptions are those of the OpenAPI document."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, StringConstraints

from supervisor.runtime.tasks.policy import Backoff, FailurePolicy, Remedy
from supervisor.runtime.tasks.spec import LEAST_URGENT, MOST_URGENT, PROGRAMS, USUAL, Spec
from supervisor.runtime.tasks.states import TaskState

_MOST_SECONDS = 1e10
TASK_ID = r"^[0-9a-f]{10}$"
_QUESTION_ID = r"^[0-9a-f]{8}$"
_TEXT = r"^[^\x00]*$"  # PostgreSQL keeps no NUL
_UNSEEN = r"\x00-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
_NAME = rf"^[^{_UNSEEN}\s][^{_UNSEEN}]*$"  # who answers, in any script


def _text(most: int, least: int = 0, pattern: str = _TEXT) -> Any:
    return StringConstraints(min_length=least, max_length=most, pattern=pattern)


TaskId = Annotated[str, StringConstraints(pattern=TASK_ID)]
_Word = Annotated[str, _text(100_000)]
_Command = Annotated[
    list[_Word],
    Field(
        min_length=1,
        max_length=10_000,
        description="A program and its arguments; no shell reads them.",
        json_schema_extra={"prefixItems": [{"type": "string", "minLength": 1}]},
    ),
]
_SAYS = r"^[^\x00]*[^\s\x00][^\x00]*$"
_Prompt = Annotated[str, _text(100_000, 1, _SAYS), Field(description="What an agent is asked to do.")]
_Pool = Annotated[str, _text(40, 1, r"^[a-z0-9][a-z0-9_-]{0,39}$")]
_Key = Annotated[str, _text(200, 1)]
_Variables = dict[
    Annotated[str, StringConstraints(pattern=r"^(?!SUPERVISOR_)[A-Za-z_][A-Za-z0-9_]*$")],
    Annotated[str, _text(100_000)],
]
_WHOLE = BeforeValidator(lambda given: int(given) if isinstance(given, float) and given.is_integer() else given)
_Time = Annotated[float, Field(gt=0, le=_MOST_SECONDS)]


class _Strict(BaseModel):
    """What comes from outside: no key that is not known, no text where a number belongs."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, regex_engine="python-re")


class _NewTask(_Strict):
    folder: Annotated[str, _text(4_096, 1, r"^/[^\x00]*$"), Field(description="Where it runs: an absolute path.")]
    title: Annotated[str, _text(200)] = ""
    environment: Annotated[
        _Variables,
        Field(description="Variables beside those of the executor.", json_schema_extra={"additionalProperties": False}),
    ] = {}
    worktree: Annotated[bool, Field(description="Run it in a git worktree of its own.")] = False
    pool: Annotated[_Pool, Field(description="The workers that may do it.")] = "default"
    priority: Annotated[int, Field(ge=MOST_URGENT, le=LEAST_URGENT, description="0 is the most urgent."), _WHOLE] = (
        USUAL
    )
    preemptible: Annotated[bool, Field(description="It may be interrupted for a more urgent task.")] = False
    deadline: Annotated[_Time | None, Field(description="The task fails after this time, in seconds since 1970.")] = (
        None
    )
    timeout: Annotated[_Time | None, Field(description="Seconds for one attempt.")] = None
    key: Annotated[_Key | None, Field(description="While a task with it is open, no second one is added.")] = None
    after: Annotated[list[TaskId], Field(max_length=100, description="Tasks that have to succeed first.")] = []
    parent: Annotated[TaskId | None, Field(description="The task that adds this one.")] = None
    on_failure: Annotated[list[Remedy], Field(max_length=100, description="What follows each failure.")] = [
        Remedy.RETRY,
        Remedy.RETRY,
    ]
    wait: Annotated[float, Field(ge=0, le=86_400, description="Seconds before the second attempt.")] = Backoff().first


class ShellTask(_NewTask):
    """Any command."""

    driver: Literal["shell"]
    command: _Command
    pty: Annotated[bool, Field(description="It gets a terminal; needless prompts are answered, the others asked.")] = (
        False
    )


class AgentTask(_NewTask):
    """Claude Code or Codex. Without a command, the driver's own program is run."""

    driver: Literal["claude", "codex"]
    prompt: _Prompt
    command: _Command | None = None


class AcpTask(_NewTask):
    """Any agent that speaks the Agent Client Protocol."""

    driver: Literal["acp"]
    prompt: _Prompt
    command: _Command


class NewTask(RootModel[Annotated[ShellTask | AgentTask | AcpTask, Field(discriminator="driver")]]):
    """A task to add, by its driver."""

    def spec(self) -> Spec:
        """The task, checked. Raises BadInput."""
        told = self.root
        command = tuple(told.command) if told.command else PROGRAMS[told.driver]
        known = told.model_dump(exclude={"on_failure", "wait", "after", "command"})
        policy = FailurePolicy(tuple(told.on_failure), Backoff(first=told.wait))
        return Spec(command=command, after=tuple(told.after), policy=policy, **known)


class NewAnswer(_Strict):
    """A person's answer. `question` is the id of the question that the person has read."""

    question: Annotated[str, StringConstraints(pattern=_QUESTION_ID)]
    answer: Annotated[str, _text(10_000, 1), Field(description="One of its choices; any text if it has none.")]
    by: Annotated[str, _text(1_000, 1, _NAME), Field(description="Who answers.")]
    note: Annotated[str, _text(1_000), Field(description="The reason, for the agent.")] = ""


class NewMessage(_Strict):
    """What a person says to an agent while it works."""

    text: Annotated[str, _text(10_000, 1, _SAYS), Field(description="What the agent is told.")]
    by: Annotated[str, _text(1_000, 1, _NAME), Field(description="Who says so.")]


class _Told(BaseModel):
    """What is answered. Times are seconds since 1970."""


class Summary(_Told):
    """A task in a list."""

    id: str
    title: str
    pool: str
    priority: int
    state: TaskState
    attempt: int
    reason: str
    parent: str | None
    created: float
    changed: float


class TaskList(_Told):
    """Tasks, those that were changed last first, and how many there are in each state."""

    tasks: list[Summary]
    counts: dict[str, int]


class Attempt(_Told):
    """One start of a task's command. `ending` is empty while it runs, `kept` the commit that keeps its work. What it
    has spent is null where its driver does not tell; `cost` is in US dollars."""

    number: int
    executor: str
    worker: str
    ending: str
    reason: str
    exit_code: int | None
    started: float
    ended: float | None
    kept: str
    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    cost: float | None


class Question(_Told):
    """What a person is asked. Without `choices`, the answer is a text. `about` shows what it is about, and `digest`
    binds the answer to it. `used` is when the answer was taken."""

    id: str
    task: str
    text: str
    choices: list[str]
    about: str
    digest: str
    asked: float
    answer: str | None
    answered: float | None
    by: str
    note: str
    used: float | None


class OpenQuestion(Question):
    """A question that waits, with its task's title and command."""

    title: str
    command: list[str]


class Message(_Told):
    """What a person has said to the agent. `heard` is when it has heard that."""

    id: str
    task: str
    text: str
    by: str
    sent: float
    heard: float | None


class Needed(_Told):
    """A task that has to succeed first."""

    id: str
    state: TaskState


class Task(Summary):
    """A task with everything that became of it."""

    command: list[str]
    driver: str
    prompt: str
    folder: str
    worktree: bool
    preemptible: bool
    pty: bool
    key: str | None
    deadline: float | None
    timeout: float | None
    not_before: float | None
    target: str | None
    stop: str | None
    failures: int
    losses: int
    excluded: list[str]
    policy: dict[str, Any]
    after: list[Needed]
    children: list[str]
    attempts: list[Attempt]
    questions: list[Question]
    messages: list[Message]


class Lease(_Told):
    """An attempt that an executor holds."""

    executor: str
    worker: str
    task: str
    number: int
    title: str
    started: float


class Executor(_Told):
    """A process that runs tasks. `silent` is how many seconds ago the server has first seen `beat`, the number that
    the executor raises six times in a lease."""

    id: str
    worker: str
    pool: str
    slots: int
    started: float
    active: int
    beat: int
    silent: float
    leases: list[Lease]


class Executors(_Told):
    """The executors that count as alive."""

    executors: list[Executor]


class Questions(_Told):
    """The questions that wait for a person, oldest first."""

    questions: list[OpenQuestion]


class Log(_Told):
    """What an attempt has printed, with secrets masked."""

    attempt: int
    text: str


class Added(_Told):
    """The task that is there now. `is_new` is false if an open one had the same key."""

    id: str
    is_new: bool


class Cancelled(_Told):
    """The tasks that were open. What runs ends as soon as its executor hears of it."""

    cancelled: list[str]


class Problem(_Told):
    """Why nothing was done: a stable code, and a sentence for people."""

    code: str
    message: str
