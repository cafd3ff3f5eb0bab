"""The guard knows what is its own, and nobody else tells it."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from supervisor import Context, Supervisor
from supervisor.adapters.hooks import HOSTS
from supervisor.engine.guard_assets import INSTALLED, assets_of, daemon_assets, installed
from supervisor.errors import BadInput
from supervisor.evidence.effects.guard.assets import Assets, listed_assets
from supervisor.evidence.effects.guard.own_program import ANSWERS, CHANGES, READS
from supervisor.evidence.machine.agents import HOOKED
from supervisor.evidence.machine.assets import FACT, Sort, digest_of
from supervisor.policy import Policy, read_policy


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def places(rows, sort):
    return [place for place, _, found, *_ in rows if found == sort]


def test_what_the_policy_names_is_known(home, tmp_path):
    file = tmp_path / "etc" / "house.yaml"
    (tmp_path / "etc" / "rules").mkdir(parents=True)
    records = {"path": str(tmp_path / "ledger"), "key": str(tmp_path / "key.pem")}
    file.write_text(yaml.safe_dump({"records": records, "taxonomy": {"folders": ["rules"]}}))
    rows = assets_of(read_policy(file))
    assert places(rows, "policy") == [str(file)]
    assert places(rows, "taxonomy") == [str(tmp_path / "etc/rules")]
    assert places(rows, "records") == [str(tmp_path / "ledger")]
    assert places(rows, "key") == [str(tmp_path / "key.pem")]
    assert places(rows, "home") == [str(home)]


def test_links_are_known_by_both_ends(home, tmp_path):
    real = tmp_path / "real.yaml"
    real.write_text("{}")
    link = tmp_path / "link.yaml"
    link.symlink_to(real)
    rows = assets_of(Policy(facts={"policy_file": str(link)}))
    assert places(rows, "policy") == [str(link), str(real)]


def test_install_keeps_a_private_list_of_what_it_wrote_where(home, run):
    policy = home / "house.yaml"
    policy.write_text("{}")
    assert run("install", "claude", "--yes", "--socket", home / "s.sock", "--policy", policy).code == 0
    (row,) = installed()
    file = home / ".claude" / "settings.json"
    assert row["file"] == str(file)
    assert (row["socket"], row["policy"]) == (str(home / "s.sock"), str(policy))
    noted = Path(INSTALLED).expanduser()
    assert stat.S_IMODE(noted.stat().st_mode) == 0o600
    rows = assets_of(Policy())
    (hooks,) = [each for each in rows if each[2] == "hooks"]
    assert hooks[0] == str(file)
    assert set(hooks[3].split()) == {digest_of(line) for line in row["commands"]}
    assert str(home / "s.sock") in places(rows, "socket")
    assert run("install", "claude", "--undo", "--yes").code == 0
    assert installed() == []


def test_hooks_that_no_list_tells_of_are_found_where_hosts_keep_them(home, run):
    assert run("install", "codex", "--yes", "--socket", home / "s.sock").code == 0
    Path(INSTALLED).expanduser().unlink()
    assert places(assets_of(Policy()), "hooks") == [str(home / ".codex" / "hooks.json")]


@pytest.mark.parametrize("text", ["{", "{}", "[1]", '[{"host": "claude"}]', '[{"host": 1, "file": "", "socket": ""}]'])
def test_a_list_that_cannot_be_understood_keeps_the_guard_from_starting(home, text):
    noted = Path(INSTALLED).expanduser()
    noted.parent.mkdir(parents=True)
    noted.write_text(text)
    with pytest.raises(BadInput, match=r"installed\.json"):
        Supervisor()


def test_the_daemon_tells_its_process_and_its_channels(tmp_path):
    rows = daemon_assets(tmp_path / "d.sock", tmp_path / "token", 8650)
    assert {each.sort for each in rows} == {"process", "command", "socket", "token", "port"}


def test_no_caller_can_set_what_belongs_to_the_guard(home, tiny):
    told = Policy(facts={FACT: [["/x", "y", "policy"]]}, taxonomy=read_policy(tiny.policy).taxonomy)
    supervisor = Supervisor(told)
    action = supervisor.action("bash", {"command": "ls"})
    _, seen = supervisor._masked(action, Context(facts={FACT: []}))
    supervisor.close()
    assert seen.facts[FACT] == supervisor.guard_assets
    assert json.loads(json.dumps(seen.facts[FACT])) == supervisor.guard_assets


def test_each_host_is_known_to_whoever_reads_what_agents_start():
    assert {agent.folder: (agent.hooks, agent.home) for agent in HOOKED.values()}.keys() == {
        host.folder for host in HOSTS.values()
    }
    for host in HOSTS.values():
        (agent,) = (each for each in HOOKED.values() if each.folder == host.folder)
        assert agent.hooks == host.file
        assert not host.home or agent.home == host.home


def test_every_verb_of_the_command_line_is_known_to_read_or_to_change():
    from supervisor.cli.app import build

    verbs = {command.name or command.callback.__name__ for command in build().registered_commands}
    assert verbs <= READS | CHANGES | ANSWERS
    assert not READS & (CHANGES | ANSWERS)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/g/policy.yaml", True),
        ("/G/Policy.YAML", True),  # of a file system that knows no case
        ("/proc/self/root/g/policy.yaml", True),
        ("/g/ledger/a/b.jsonl", True),
        ("/g/pol*", True),
        ("/g/policy.yaml.bak", False),
        ("/g/ledgers/a", False),
        ("/g/*.txt", False),
        ("~/.hidden/s.json", True),
        ("/h/*/s.json", False),  # a star stands for no hidden name
    ],
)
def test_a_place_is_found_however_it_is_spelt(path, found):
    rows = [["/h", "u", "home"], ["/g/policy.yaml", "s", "policy"], ["/g/ledger", "s", "records"]]
    known = Assets(listed_assets({FACT: [*rows, ["/h/.hidden/s.json", "claude", "hooks"]]}))
    assert (known.at(path) is not None) is found


@pytest.mark.parametrize("told", [None, 1, "x", [1], [["a"]], [["a", "b", 3]], [["a"] * 9], {"a": 1}])
def test_what_is_no_list_of_assets_is_none(told):
    assert list(listed_assets({FACT: told})) == []


def test_parents_are_known():
    known = Assets(listed_assets({FACT: [["/g/a/policy.yaml", "s", "policy"]]}))
    assert known.below("/g").sort == Sort.POLICY
    assert known.below("/g/a/policy.yaml") is None
    assert known.below("/x") is None


def test_an_engine_opens_without_parsers() -> None:
    """They take longer to import than all else, and a host whose workers judge needs none. An opening finds no secret,
    logs nothing, and starts no worker either."""
    code = "import sys; from supervisor import Supervisor; Supervisor().close(); print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "supervisor.engine.supervisor" in loaded
    assert not loaded & {"tree_sitter", "sqlglot", "supervisor.evidence.effects", "supervisor.evidence.shell"}
    assert not loaded & {"re2", "supervisor.evidence.secrets", "logging", "shutil", "socket", "mmap"}
