"""Texts that hint at a secret everywhere, and hold hardly any: what masks before all others sees them first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.hostile.inputs import Input, acts
from tests.hostile.shapes import nested, noise, numbered, repeated, wide_tree

_KEY = "ghp_aB3kd9Xq2Lm7Zt5Rw8Yc4Vn6Hj1Gf0Pe7UsQ"
_HINTS = (
    "-----BEGIN PRIVATE KEY-----", "eyJaaaaaaaaaaaaaaa.eyJ", "AKIA", "secret_access_key=", "8Q~", "AccountKey=", "AIza",
    "ya29.", "dapi0", "hvs.", ".atlasv1.", "dp.pt.", "ops_eyJ", "A3-", "glc_", "ghp_", "glpat-", "sk-", "sk-ant-",
    "xoxb-", "hooks.slack.com/services/", "M.aaaaaa.", ":AA", "EAA", "://a:b@", "bearer ", "password=", "token: '",
)  # fmt: skip
_HOLD_A_VALUE = ("AccountKey=", "://a:b@", "bearer ")  # what follows each is its secret: too many of them
_BEGINNINGS = (
    "sk- ghp_ npm_ hf_ AKIA xox :AA eyJa.eyJ glpat- 8Q~ AccountKey= AIza ya29. dop_v1_ dapi0 hvs. pul-0 dp.a. A3- glc_ "
    "dt0c01. NRAK- pscale_ ico- sbp_ pypi-AgE rubygems_ dckr_ AKCp squ_ sgp_ PMAK- sk-ant- gsk_ lsv2_ sk_live_ shp sq0 "
    "SG. -us1 SK0 xapp- hooks.slack.com .aaaaaa. ntn_ ATATT3 lin_api_ figd_ ://a@ bearer token= "
)
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def inputs() -> Iterator[Input]:
    for hint in _HINTS:
        count = min(400_000 // len(hint), 4_900 if hint.startswith("eyJ") else 400_000)  # each begins a JWT
        bad = "too_large" if hint in _HOLD_A_VALUE else ""
        yield _note(f"{hint} again and again", repeated, hint, count, bad=bad)
    texts: dict[str, tuple[Callable[..., str], *tuple[Any, ...]]] = {
        "every hint": (repeated, " ".join(_HINTS), 800),
        "4,900 keys": (numbered, "ghp_{}" + "aB3kZ" * 8, 4_900, "\n"),
        "20,000 passwords": (numbered, "password{}='aB3kd9Xq{}Lm7'", 20_000, "\n"),
        "tokens of ours": (numbered, "SECRET_github_token_0123456789ab{}", 15_000),
        "tokens that are nearly ours": (repeated, "SECRET_" + "a_" * 20, 10_000),
        "a token without end": (repeated, "a_", 250_000, "SECRET_"),
        "a key without end": (noise, _BASE64, 400_000),
        "a key of lines": (repeated, f"{_BASE64}\\n", 4_900, "-----BEGIN RSA PRIVATE KEY-----\\n"),
        "equals signs": (repeated, "=", 500_000, "password"),
        "quotes behind a name": (repeated, "\\\"'", 150_000, "password="),
        "colons": (repeated, "://:", 120_000),
        "quoted brackets": (nested, "{'token':", f"'{_KEY}'", "}", 20_000),
    }
    for name, (make, *parts) in texts.items():
        yield _note(name, make, *parts)
    too_many: dict[str, tuple[Callable[..., str], *tuple[Any, ...]]] = {
        "2 MB of beginnings": (repeated, _BEGINNINGS, 6_000),
        "every hint in a row": (repeated, "".join(_HINTS), 800),
        "addresses with passwords": (repeated, "postgres://a:b3kd9@h/", 4_900),
        "signs of addresses": (repeated, "://@", 120_000),
        "noise of hints": (noise, [*_HINTS, " ", "=", '"', "aB3kd9Xq"], 40_000),
        "20,000 keys": (numbered, "ghp_{}" + "aB3kZ" * 8, 20_000, "\n"),
        "an endless key of lines": (repeated, f"{_BASE64}\\n", 6_000, "-----BEGIN RSA PRIVATE KEY-----\\n"),
        "4 MB of beginnings": (repeated, _BEGINNINGS, 12_500),
        "15,000 addresses with passwords": (repeated, "postgres://a:b3kd9@h/", 15_000),
    }
    for name, (make, *parts) in too_many.items():
        yield _note(name, make, *parts, bad="too_large")
    for count, bad in ((700, ""), (9_000, "too_large")):
        texts_of_all = partial(dict, texts=[f"{' '.join(_HINTS)} {number}" for number in range(count)])
        yield acts("secrets", f"{count:,} texts of every hint", "note", texts_of_all, bad=bad)
    for count, bad in ((4_900, ""), (19_000, "too_large")):
        yield acts("secrets", f"secrets in {count:,} keys", "note", partial(_named, f"{_KEY}{{}}", count), bad=bad)
        yield acts(
            "secrets", f"{count:,} equal keys once masked", "note", partial(_named, f"{_KEY} {{}}", count), bad=bad
        )
    for depth, bad in ((4, ""), (5, "too_large")):
        tree = partial(wide_tree, depth, 8, {"password": "open sesame"})
        yield acts(
            "secrets", f"passwords in a tree {depth} deep", "note", lambda tree=tree: {"password": tree()}, bad=bad
        )
    yield acts("secrets", "names of 1 KB", "note", lambda: {"secret_" * 150 + str(n): "aB3kd9Xq" for n in range(2_000)})
    history = partial(dict, history=[{"tool": "read", "output": f"token={_KEY}\n" * 2_000}] * 30)
    yield acts("secrets", "a history of keys", "note", partial(dict, text="x"), history)
    sent = partial(dict, to="a@b.example", body="x" * 200_000 + f" token={_KEY}")
    leaks = "credential_in_outgoing_arguments"
    yield acts("secrets", "a key behind 200 KB", "send_email", sent, caught=leaks)


def _note(name: str, make: Callable[..., str], *parts: Any, bad: str = "") -> Input:
    return acts("secrets", name, "note", lambda: {"text": make(*parts)}, bad=bad)


def _named(template: str, count: int) -> dict[str, int]:
    return {template.format(number): number for number in range(count)}
