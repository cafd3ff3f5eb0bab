"""Reading a policy from a YAML file or from plain values."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supervisor.errors import BadPolicy
from supervisor.policy.business import FACT as BUSINESS
from supervisor.policy.business import Schema
from supervisor.policy.policy import Policy, expanded

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from supervisor.policy.checks import Draft, Problem

OWN_POLICY = "~/.config/supervisor/policy.yaml"  # the user's policy if nothing names another
MAX_POLICY_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Layer:
    """A policy that was read, and the settings that its file gives: all others have their defaults."""

    policy: Policy
    given: Mapping[str, Any]


def own_policy_file() -> Path | None:
    """The user's policy: what SUPERVISOR_POLICY names, else OWN_POLICY if something is there. The working directory is
    not searched, because an agent may write there."""
    if named := os.environ.get("SUPERVISOR_POLICY"):
        return Path(named)
    place = Path(os.path.expanduser(OWN_POLICY))
    return place if place.is_absolute() and os.path.lexists(place) else None


def read_policy(path: str | os.PathLike[str]) -> Policy:
    """The policy in a YAML file. Raises BadPolicy, naming the file, the line, the column and the offending key.

    The file's path becomes a fact, so that specialists notice changes to it; so does its business schema. Relative
    paths of folders and SQLite files are resolved against the file's folder.
    """
    return read_layer(path).policy


def read_layer(path: str | os.PathLike[str], *, follow: bool = True) -> Layer:
    """The policy in a YAML file, with the settings that the file gives; see `read_policy`. Raises BadPolicy, also for a
    symlink unless `follow`."""
    file = Path(path)
    values = _values_in(file, follow=follow)
    draft = _draft(file, values)
    if draft.policy is None or draft.problems:
        raise bad_file(file, draft.problems)
    return Layer(draft.policy, values)


def draft_of(file: Path) -> Draft:
    """The policy in a YAML file, without what is wrong in it. Raises BadPolicy if it is not YAML."""
    return _draft(file, _values_in(file))


def _values_in(file: Path, *, follow: bool = True) -> Any:
    from supervisor.intake.documents import read_yaml

    values = read_yaml(file, limit=MAX_POLICY_BYTES, error=BadPolicy, follow=follow)
    return {} if values is None else values


def _draft(file: Path, values: Any) -> Draft:
    from supervisor.policy.checks import Draft, of_parts

    draft = _drafted(values)
    if draft.policy is None:
        return draft
    problems = [*draft.problems, *of_parts(draft.policy)]
    return Draft(_beside(file, draft.policy), problems)


def _beside(file: Path, policy: Policy) -> Policy:
    """A policy that was read from a file, with its paths resolved."""
    policy, folder = _with_business(policy), file.resolve().parent
    folders = tuple([str(folder / expanded(each)) for each in policy.taxonomy.folders])
    taxonomy = replace(policy.taxonomy, folders=folders)
    database = replace(policy.doors.database, url=_resolved_url(policy.doors.database.url, folder))
    facts = {"policy_file": str(file.resolve()), **policy.facts}
    return replace(policy, facts=facts, taxonomy=taxonomy, doors=replace(policy.doors, database=database))


def _resolved_url(url: str | None, folder: Path) -> str | None:
    """The URL of a database; a relative path of SQLite is resolved against a folder."""
    file = (url or "").removeprefix("sqlite:///")
    if not url or file == url or not file or file.startswith(("/", ":")):
        return url
    return f"sqlite:///{folder / file}"


def policy_from(values: Any, *, place: str) -> Policy:
    """The policy in plain values. Raises BadPolicy, naming `place`, the offending key and how many more there are."""
    draft = _drafted(values)
    if draft.policy is None or draft.problems:
        raise bad_policy(draft.problems, lambda _: place)
    return _with_business(draft.policy)


def _drafted(values: Any) -> Draft:
    from pydantic import ValidationError

    from supervisor.policy.checks import Draft, of_ranges, of_types, without, without_echoes

    wrong: list[Problem] = []
    try:
        policy = _adapter().validate_python(values)
    except ValidationError as error:
        wrong = of_types(error, values)
        try:
            policy = _adapter().validate_python(without(values, wrong))
        except ValidationError:
            return Draft(None, without_echoes(wrong))
    above = {each.path[:length] for each in wrong for length in range(len(each.path))}
    return Draft(policy, [*without_echoes(wrong), *(each for each in of_ranges(policy) if each.path not in above)])


def bad_policy(problems: Sequence[Problem], place_of: Callable[[Problem], str]) -> BadPolicy:
    """The error for a policy with problems: the first one, and how many more there are."""
    first, more = problems[0], len(problems) - 1
    rest = f" ({more} more; `supervisor policy check` shows all)" if more else ""
    return BadPolicy(f"{first}{rest}", place=place_of(first))


class Positions:
    """The positions of problems in a policy's file. None are known if the file has changed and is no YAML any more."""

    def __init__(self, file: Path) -> None:
        import yaml

        from supervisor.intake.documents import YamlPlaces
        from supervisor.intake.files import read_file

        self._file = file
        self._places: YamlPlaces | None = None
        with contextlib.suppress(OSError, yaml.YAMLError, RecursionError):
            self._places = YamlPlaces(read_file(file, MAX_POLICY_BYTES))

    def of(self, problem: Problem) -> tuple[int, int] | None:
        """The line and the column of a problem, both from 1."""
        return self._places.of(problem.path, key=problem.is_key) if self._places else None

    def place(self, problem: Problem) -> str:
        """The file with the line and the column, as `policy.yaml:3:5`."""
        found = self.of(problem)
        return f"{self._file}:{found[0]}:{found[1]}" if found else str(self._file)

    def in_order(self, problems: Iterable[Problem]) -> list[Problem]:
        """Problems in the order of their places."""
        return sorted(problems, key=lambda problem: self.of(problem) or (0, 0))


def bad_file(file: Path, problems: Iterable[Problem]) -> BadPolicy:
    """The error for a policy's file with problems, at the place of the first one."""
    positions = Positions(file)
    return bad_policy(positions.in_order(problems), positions.place)


def _with_business(policy: Policy) -> Policy:
    """The policy with its business schema as a fact, where specialists read it."""
    if policy.business == Schema():
        return policy
    return replace(policy, facts={BUSINESS: asdict(policy.business), **policy.facts})


@functools.cache
def _adapter() -> TypeAdapter[Policy]:
    from pydantic import TypeAdapter

    return TypeAdapter(Policy)


def schema() -> dict[str, Any]:
    """The JSON Schema of a policy's sections, without the facts."""
    return _adapter().json_schema()
