"""What package managers are asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.action import Action, Context
from supervisor.evidence.effects import Act, effects
from supervisor.evidence.effects.packages import Package, spec_of
from supervisor.evidence.effects.popular import imitated_package


def _packages(command: str) -> list[tuple[str, str, str]]:
    found = effects(Action("bash", {"command": command}, "shell"), Context()).of(Act.INSTALL)
    return [(each.verb, each.ecosystem, each.target) for each in found if isinstance(each, Package)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pip3.11 install -U flask", ("install", "pypi", "flask")),
        ("sudo python3 -m pip install --user flask", ("install", "pypi", "flask")),
        ("uv pip install flask", ("install", "pypi", "flask")),
        ("npx -y cowsay hello", ("install", "npm", "cowsay")),
        ("npm --prefix web i -D jest", ("install", "npm", "jest")),
        ("yarn global add serve", ("install", "npm", "serve")),
        ("apt-get -y purge nginx", ("remove", "system", "nginx")),
        ("rpm -e --nodeps bash", ("remove", "system", "bash")),
        ("twine upload dist/*", ("publish", "pypi", "dist/*")),
        ("mvn -B clean deploy", ("publish", "maven", "")),
        ("npm unpublish a@1", ("unpublish", "npm", "a@1")),
        ("npm config set registry http://x.org", ("index", "npm", "http://x.org")),
        ("pip install --extra-index-url https://x.org/simple a", ("extra-index", "pypi", "https://x.org/simple")),
        ("pip install --trusted-host x.org a", ("unchecked", "pypi", "x.org")),
        ("conda config --set ssl_verify false", ("unchecked", "conda", "ssl_verify=false")),
    ],
)
def test_what_is_asked(command: str, expected: tuple[str, str, str]) -> None:
    assert expected in _packages(command)


@pytest.mark.parametrize(
    "command",
    [
        "npm publish --dry-run",
        "apt-get -s remove bash",
        "pip install --help",
        "python3 -m pytest",
        "npm test",
        "echo pip install a",
    ],
)
def test_nothing_is_asked(command: str) -> None:
    assert _packages(command) == []


@pytest.mark.parametrize(
    ("word", "ecosystem", "expected"),
    [
        ("flask==3.0", "pypi", ("flask", "3.0", "")),
        ("flask[async]>=2", "pypi", ("flask", "", "")),
        ("a @ https://x.org/a.whl", "pypi", ("a", "", "https://x.org/a.whl")),
        ("git+https://x.org/a/b.git@v1#egg=b", "pypi", ("b", "v1", "git+https://x.org/a/b.git@v1")),
        ("git+ssh://git@x.org/a/b.git", "pypi", ("b", "", "git+ssh://git@x.org/a/b.git")),
        ("https://x.org/b.whl#sha256=0a", "pypi", ("b.whl", "sha256=0a", "https://x.org/b.whl")),
        ("./local", "pypi", ("./local", "", "")),
        ("@a/b@1.2", "npm", ("@a/b", "1.2", "")),
        ("a@latest", "npm", ("a", "", "")),
        ("a/b#v1", "npm", ("a/b", "v1", "https://github.com/a/b")),
        ("gitlab:a/b", "npm", ("a/b", "", "https://gitlab.com/a/b")),
        ("vim=2:9.0", "system", ("vim", "2:9.0", "")),
    ],
)
def test_names_versions_and_addresses(word: str, ecosystem: str, expected: tuple[str, str, str]) -> None:
    assert spec_of(word, ecosystem) == expected


@given(st.text(max_size=60), st.sampled_from(["pypi", "npm", "go", "system"]))
def test_any_word_is_read(word: str, ecosystem: str) -> None:
    assert isinstance(spec_of(word, ecosystem).name, str)


@pytest.mark.parametrize(
    ("name", "ecosystem", "popular"),
    [
        ("reqeusts", "pypi", "requests"),
        ("python3_dateutil", "pypi", "python-dateutil"),
        ("crossenv", "npm", "cross-env"),
        ("requests", "pypi", None),
        ("pydantic2", "pypi", None),
        ("@types/node", "npm", None),
        ("reqeusts", "cargo", None),
        ("abcd", "npm", None),
    ],
)
def test_look_alikes(name: str, ecosystem: str, popular: str | None) -> None:
    assert imitated_package(name, ecosystem) == popular


@given(st.sampled_from(["requests", "tensorflow", "scikit-learn", "cryptography"]), st.data())
def test_a_letter_left_out_is_seen(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 1))
    assert imitated_package(name[:at] + name[at + 1 :], "pypi") is not None
