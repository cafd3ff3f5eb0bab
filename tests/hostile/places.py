"""Paths, addresses, rules about files, and what git, clouds and editors do to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts, runs
from tests.hostile.shapes import noise, numbered, repeated

_Texts = dict[str, tuple[Callable[..., str], *tuple[Any, ...]]]
_PATHS: _Texts = {
    "20,000 steps up": (repeated, "../", 20_000),
    "20,000 steps up and down": (repeated, "a/../", 12_000, "/"),
    "dots and slashes": (noise, "./~", 60_000),
    "a megabyte of slashes": (repeated, "/", 1_000_000),
    "30,000 names": (repeated, "a/", 30_000, "/"),
    "one name of a megabyte": (repeated, "a", 1_000_000),
    "globs": (repeated, "**/", 20_000),
    "globs of all": (repeated, "/*", 30_000, "/etc"),
    "brackets of globs": (repeated, "[!.]", 15_000),
    "homes": (repeated, "~", 60_000),
    "homes of others": (repeated, "~a/", 20_000),
    "variables": (repeated, "$HOME", 12_000),
    "opened variables": (repeated, "${", 30_000),
    "backslashes": (repeated, "..\\", 20_000),
    "percent signs": (repeated, "%2e%2e%2f", 7_000),
}
_URLS: _Texts = {
    "a megabyte of one host": (repeated, "a", 1_000_000, "http://"),
    "8,000 labels": (repeated, "a.", 8_000, "http://"),
    "254 letters": (repeated, "a", 254, "http://"),
    "8,000 dots": (repeated, ".", 8_000, "http://"),
    "a label of foreign letters": (repeated, "ü", 250, "http://", ".example"),
    "labels of foreign letters": (repeated, "ü.", 120, "http://"),
    "punycode": (repeated, "a", 240, "http://xn--", ".org"),
    "broken punycode": (repeated, "xn--9", 50, "http://", ".org"),
    "punycode of zeros": (repeated, "0", 240, "http://xn--", "-.org"),
    "users": (repeated, "a@", 8_000, "http://"),
    "colons": (repeated, ":", 16_000, "http"),
    "brackets": (repeated, "[", 16_000, "http://"),
    "an address of colons": (repeated, ":0", 5_000, "http://[", "]"),
    "an address of figures": (repeated, "0x7f.", 3_000, "http://"),
    "figures": (repeated, "1", 16_000, "http://"),
    "percent signs": (repeated, "%25", 5_000, "http://"),
    "schemes": (repeated, "http:", 3_000),
    "tabs": (repeated, "\t", 16_000, "http://e", "vil.example"),
    "slashes and backslashes": (repeated, "/\\", 8_000, "http:"),
    "a name of ms": (repeated, "rn", 120, "http://", ".org"),
    "nearly a known name": (repeated, "l", 230, "http://examp", "e.org"),
    "baits": (repeated, "login-", 40, "http://example-", ".org"),
    "data": (repeated, "A", 900_000, "data:text/html;base64,"),
    "code": (repeated, "alert(1);", 50_000, "javascript:"),
}
_RULES: _Texts = {
    "3,000 rules": (numbered, "Do not change file{}.py.\n", 3_000),
    "rules in one sentence": (repeated, "do not modify or change or edit ", 2_000),
    "verbs in one rule": (repeated, "modify or ", 1_600, "do not ", "a.py"),
    "what is protected": (repeated, "a is protected ", 1_000),
    "nearly protected": (repeated, "a is ", 3_200),
    "leave alone": (repeated, "leave keep ", 1_400),
    "but": (repeated, "except unless but not ", 700, "Never edit anything "),
    "quotes": (repeated, "`'\"", 5_000, "Do not touch ", "x"),
    "patterns": (repeated, "*?[a-z]", 2_000, "Do not edit "),
    "stars": (repeated, "*a", 200, "Do not edit ", "b"),
    "commas": (repeated, "a.py, ", 2_600, "Never delete "),
    "spaces": (repeated, " ", 15_000, "never modify", "x"),
    "hints": (noise, ["never ", "keep ", "is ", "protected ", "files ", "tests/ ", "a.py ", "but ", ", ", ". "], 3_000),
}
_GIT: _Texts = {
    "8,000 refs": (numbered, " a{}:main", 6_000, "", "git push -f origin"),
    "8,000 settings": (repeated, " -c a=b", 8_000, "git", " push --force"),
    "directories": (repeated, " -C ..", 8_000, "git", " reset --hard"),
    "plus signs": (repeated, "+", 60_000, "git push origin ", "main"),
    "2,000 calls": (repeated, "git push -f;", 2_000),
    "pathspecs": (repeated, " :/", 15_000, "git checkout --"),
    "a branch of colons": (repeated, ":", 60_000, "git push origin "),
    "stashes": (repeated, "git stash;git stash drop;", 1_000),
    "worktrees": (repeated, "git worktree add a;", 2_000),
}
_CLOUD: _Texts = {
    "8,000 targets": (numbered, " -target=a{}", 4_000, "", "terraform destroy"),
    "deletions": (numbered, "kubectl delete ns a{};", 2_000),
    "options": (repeated, " --all", 10_000, "kubectl delete"),
    "operands": (repeated, " delete namespace", 3_500, "kubectl"),
    "buckets": (numbered, " s3://a{}", 6_000, "", "aws s3 rb --force"),
    "verbs": (noise, ["aws ", "s3 ", "rm ", "rb ", "--recursive ", "destroy ", "apply ", "delete ", "; "], 8_000),
    "plans": (repeated, "terraform plan -destroy -out=a;terraform apply a;", 900),
}
_WRITES: _Texts = {
    "5,000 files": (numbered, " f{}", 9_000, "", "tee"),
    "copies": (numbered, "cp a b{};", 2_000),
    "moves": (numbered, " a{}", 9_000, "", "mv", " /etc/"),
    "edits in place": (repeated, " -i -e s/a/b/", 4_000, "sed", " a.py"),
    "flags": (repeated, "i", 60_000, "sed -", " a.py"),
    "redirections": (numbered, ":>f{};", 2_000),
    "descriptors": (repeated, " 3>&1 1>&2 2>&3", 2_000, "ls"),
    "deletions": (numbered, "rm -r d{};", 2_000),
}


def inputs() -> Iterator[Input]:
    for name, (make, *parts) in _PATHS.items():
        yield acts("paths", name, "write_file", lambda make=make, parts=parts: {"path": make(*parts), "content": ""})
        yield runs("paths", "shell", f"deleting {name}", lambda make=make, parts=parts: f"rm -rf {make(*parts)}")
    for name, (make, *parts) in _URLS.items():
        args = partial(_url, make, parts)
        known = partial(dict, known_domains=["example.org"], allowed_domains=["example.org"], task="See example.org.")
        yield acts("web", name, "click", args, known)
    yield acts("web", "19,000 known domains", "click", _shop, lambda: {"known_domains": _domains(19_000)})
    yield acts("web", "19,000 allowed domains", "click", _shop, lambda: {"allowed_domains": _domains(19_000)})
    yield acts("web", "a task of 9,000 domains", "click", _shop, lambda: {"task": " ".join(_domains(9_000))})
    for name, (make, *parts) in _RULES.items():
        args, context = partial(dict, path="tests/a.py", new_string="x"), partial(_ruled, make, parts)
        yield acts("rules", name, "edit_file", args, context)
    for engine, texts in (("git", _GIT), ("cloud", _CLOUD), ("writes", _WRITES)):
        for name, (make, *parts) in texts.items():
            yield runs(engine, "shell", name, make, *parts)
    yield from _own_files()


def _own_files() -> Iterator[Input]:
    removes = partial(dict, command="rm -rf /srv/other/a")
    made = {"files_created_by_agent": [f"/srv/a{number}" for number in range(19_000)], "cwd": "/srv/shop"}
    yield acts("writes", "19,000 own files", "bash", removes, partial(dict, made))
    past = [{"tool": "bash", "args": {"command": f"mkdir a{number}"}} for number in range(2_000)]
    yield acts("writes", "2,000 directories made", "bash", removes, lambda: {"history": past, "cwd": "/srv/shop"})
    steps = [{"tool": "bash", "args": {"command": "git commit -am x"}}] * 3_000
    yield acts("git", "3,000 commits", "bash", partial(dict, command="git reset --hard"), lambda: {"history": steps})


def _url(make: Callable[..., str], parts: tuple[Any, ...]) -> dict[str, Any]:
    return {"url": make(*parts)}


def _ruled(make: Callable[..., str], parts: tuple[Any, ...]) -> dict[str, Any]:
    return {"task": make(*parts), "rules": [make(*parts)] * 3, "cwd": "/srv"}


def _shop() -> dict[str, Any]:
    return {"url": "https://shop-0.example.com/"}


def _domains(count: int) -> list[str]:
    return [f"shop-{number}.example{number}.com" for number in range(count)]
