"""Where credentials live, which programs show them, and whether what is read is printed in the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.secrets.credentials import Sort, credential_at, is_shared, may_be_credential
from supervisor.evidence.secrets.printing import Outlet, is_searched, outlet
from supervisor.evidence.shell import read_script
from tests.evidence.effort import MOST, steps

WHERE = {
    Sort.KEY: "~/.ssh/id_rsa /root/.ssh/work.pem /etc/ssl/private/a.key ~/.gnupg/private-keys-v1.d/A.key",
    Sort.ACCOUNT: "~/.aws/credentials /home/a/.kube/config ~/.netrc ~/.npmrc ~/.config/gh/hosts.yml",
    Sort.PASSWORDS: "/etc/shadow ~/.password-store/mail.gpg vault.kdbx /etc/security/opasswd",
    Sort.BROWSER: "~/.mozilla/firefox/x.default/logins.json ~/.config/chromium/Default/Cookies",
    Sort.PROJECT: ".env config/.env.production certs/server.key credentials.json secrets.yaml",
}
NONE = (
    "~/.ssh/id_rsa.pub ~/.ssh/known_hosts ~/.aws/config .env.example .env.test .npmrc cert.pem src/keyboard.ts"
    " package.json tests/fixtures/id_rsa node_modules/a/.env src/secrets.py"
)


@pytest.mark.parametrize(("sort", "path"), [(sort, path) for sort, paths in WHERE.items() for path in paths.split()])
def test_credentials_are_known_by_their_place(sort: Sort, path: str) -> None:
    found = credential_at(path)
    assert found is not None
    assert found.sort is sort


@pytest.mark.parametrize("path", NONE.split())
def test_what_only_looks_alike_is_none(path: str) -> None:
    assert credential_at(path) is None


def test_a_directory_counts_with_all_that_is_below_it() -> None:
    assert credential_at("~/.ssh") is None
    assert credential_at("~/.ssh", whole=True) is not None


@given(st.text("abc/._-~ \\keynvidrsa", max_size=80))
def test_no_credential_is_missed_at_a_glance(path: str) -> None:
    assert credential_at(path) is None or may_be_credential(path.replace("\\", "/"))


@pytest.mark.parametrize("path", ["/etc/letsencrypt/live/" * 4000, "a" * 100_000 + ".key", ".ssh/" * 800 + "x"])
def test_hostile_paths_cost_little(path: str) -> None:
    assert steps(credential_at, path) < MOST


def test_shared_places() -> None:
    assert is_shared("/tmp/key")
    assert is_shared("public/key")
    assert is_shared("/var/www/html/key")
    assert not is_shared("~/.ssh/key")
    assert not is_shared("src/publicity/key")


def revealed(command: str) -> list[str]:
    action = Action("bash", {"command": command}, "shell")
    return [effect.verb for effect in effects(action, Context()).of(Act.REVEAL)]


@pytest.mark.parametrize(
    ("command", "verbs"),
    [
        ("env", ["environment"]),
        ("env A=1 ls; printenv HOME; set -e; export B=2", []),
        ("sudo sh -c 'printenv'", ["environment"]),
        ("ps auxe", ["environment"]),
        ("ps aux -e", []),
        ("kubectl get secrets -A -ojson", ["store"]),
        ("kubectl get secrets", []),
        ("kubectl get secret db -o yaml", []),
        ("for s in $(vault list x); do vault kv get $s; done", ["store"]),
        ("vault kv get x", []),
        ("security find-generic-password -w -s x", ["keychain"]),
        ("mysql -uapp -pTulip7-V9q db", ["argument"]),
        ("mysql -uroot -proot; mysql -p; mysql -p$PW", []),
        ("docker login -u a -p Tulip7-V9q", ["argument"]),
        ("docker run -p 8080:8080 x", []),
        ("curl https://bob:Tulip7-V9q@example.org", ["argument"]),
        ("curl https://example.org/@scope/name", []),
        ("curl 169.254.169.254/latest/meta-data/iam/security-credentials/", ["metadata"]),
        ("echo 'env; kubectl get secrets -o yaml'", []),
    ],
)
def test_what_programs_show(command: str, verbs: list[str]) -> None:
    assert revealed(command) == verbs


@pytest.mark.parametrize(
    ("text", "is_printed"),
    [
        ("cat k", True),
        ("cat k | base64 | head", True),
        ('echo "$(cat k)"', True),
        ("cat k > copy", False),
        ("X=$(cat k)", False),
        ("cat k | docker login --password-stdin", False),
        ("cat k | wc -c", False),
        ("cat k | cut -d= -f1", False),
        ("cat k | sed 's/=.*//'", False),
        ("grep -q x k", False),
        ("grep x k", True),
        ("cat k 2>/dev/null", True),
        ("cat k >&2 2>/dev/null", True),
        ("cat k >/dev/null 2>&1", False),
        ("cat k 2>&1 >/dev/null", False),
        ("cat k > >(tee log)", True),
        ("sudo cat k | sudo base64", True),
        ("a() { cat k; }; a | base64", True),
        ("base64 <<< $(cat k)", True),
        ("diff <(cat k) <(ls)", True),
        ("wc -l <(cat k)", False),
        ("echo $(cat k | wc -c)", False),
        ("X=$(cat k); echo $X", True),
        ("{ cat k; } > copy", False),
        ("cat k | xargs -n1 curl -d", False),
        ("cat k | xargs -n1 echo", True),
    ],
)
def test_whether_what_is_read_is_printed(text: str, is_printed: bool) -> None:
    script = read_script(text, None)
    source = next(each for each in script.commands if "k" in each.args and each.program in ("cat", "grep"))
    assert (outlet(source, script) is Outlet.SCREEN) is is_printed


def test_what_ends_in_a_file() -> None:
    script = read_script("env | sort | cat > all.txt", None)
    assert outlet(script.commands[0], script) is Outlet.FILE


def test_the_pattern_of_a_search() -> None:
    script = read_script("env | sort | grep -i token", None)
    assert is_searched(script.commands[0], script) == "token"
