"""Which policies hold for a request: the user's, and the project's if the hook's command names one."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from supervisor.catalog.catalog import Catalog, in_force, open_catalog
from supervisor.catalog.policy_names import check_names
from supervisor.engine.guard_assets import INSTALLED, policies_of_user
from supervisor.errors import BadInput, BadPolicy
from supervisor.policy import Layer, Policy, expanded, own_policy_file, read_layer
from supervisor.policy.layers import Layered, layered
from supervisor.policy.sections import OnRefuse
from supervisor.service.watching import Stamp, stamp_of

_log = logging.getLogger(__name__)
HEADER = "supervisor-policy-file"  # percent-encoded, in a request of a hook
HOST_HEADER = "supervisor-host"  # of whoever asks which policy holds for a host
_LONGEST = 4096  # bytes of a path


class Policies(NamedTuple):
    """The files of the user's policy and of a project's one, as absolute paths; None for none."""

    user: str | None
    project: str | None = None


class Choice:
    """Chooses the policies of a request.

    The user's policy is the one with which `supervisor install` put the hooks into the user's own settings of the host,
    else the daemon's own. Any other policy that a request names is a project's: its name comes from a file that a
    project's agent may write.
    """

    def __init__(self, own: Path | None, socket: Path) -> None:
        """`own` is the daemon's own policy; None for the one at the default place, as soon as there is one."""
        self._own = None if own is None else str(own.absolute())
        self._socket = str(socket)
        self._list = str(expanded(INSTALLED))
        self._of_hosts: Mapping[str, str] = {}
        self._read: Stamp = None

    @property
    def own(self) -> Policies:
        """The daemon's own policy, without a project's."""
        if self._own is None and (found := own_policy_file()):
            self._own = str(found.absolute())  # from now on: if it is removed, that is an error, not another policy
        return Policies(self._own)

    def of(self, host: str, named: str | None) -> Policies:
        """The policies for an event of `host` ("" for any other request) that names a policy, percent-encoded. Raises
        BadInput."""
        user = self._of_host(host) or self.own.user
        if named is None:
            return Policies(user)
        file = _path_of(named)
        return Policies(user) if file == user else Policies(user, file)

    def _of_host(self, host: str) -> str | None:
        if not host:
            return None
        if (stamp := stamp_of(self._list)) != self._read:
            self._read = stamp
            try:
                self._of_hosts = policies_of_user(self._socket)
            except BadInput as error:
                _log.error("the policies of the user's own hooks stay as they were known: %s", error)
        return self._of_hosts.get(host)


def _path_of(named: str) -> str:
    path = os.fsdecode(unquote_to_bytes(named))
    if not path.startswith("/") or "\0" in path or len(named) > 3 * _LONGEST:
        raise BadInput("an absolute path of a policy is needed", place=HEADER, code="bad_policy_file")
    return os.path.normpath(path)


# The policy that they come to


class Merged(NamedTuple):
    """A policy with its catalogue, and the settings of the project's file that have no effect."""

    policy: Policy
    catalog: Catalog
    ignored: tuple[str, ...]


def read_policies(files: Policies) -> Layered:
    """The policy that the files come to, without its catalogue. Raises BadPolicy, or BadTaxonomy for the user's."""
    user = Policy() if files.user is None else read_layer(files.user).policy
    if files.project is None:
        return Layered(user)
    real = os.path.realpath(
        files.project
    )  # once: a link could lead elsewhere when trust is decided than when it is read
    return _layered(user, read_layer(real, follow=False), Path(real))


def open_policies(files: Policies) -> Merged:
    """The policy that the files come to, with its catalogue. Raises BadPolicy or BadTaxonomy."""
    policy, ignored = (found := read_policies(files)).policy, found.ignored
    catalog = in_force(policy)
    try:
        check_names(policy, catalog)
    except BadPolicy as error:
        raise error if files.project is None else BadPolicy(error.message, place=files.project) from None
    return Merged(policy, catalog, ignored)


def _layered(user: Policy, project: Layer, file: Path) -> Layered:
    if not project.policy.on_refuse:
        return layered(user, project, file, lambda _: "proceed")
    entries = open_catalog(user.taxonomy).entries

    def usual(specialist: str) -> OnRefuse:
        entry = entries.get(specialist)
        if entry is None:
            return "proceed"
        meant: Any = entry.on_refuse or ("flag" if entry.verdict == "block" else "proceed")
        return meant  # type: ignore[no-any-return]

    return layered(user, project, file, usual)
