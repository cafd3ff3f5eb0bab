"""Fixtures that empty whatever database the environment names, which on some machine is the real one."""

from __future__ import annotations

import re
from functools import cache

from supervisor.evidence.reading.tables import table_beside

_EMPTIES = re.compile(
    r"\b(?:metadata|Base)\w*(?:\.metadata)?\.drop_all\b|\bdb\.drop_all\(|\b(?:TRUNCATE|DROP\s+(?:TABLE|SCHEMA|DATABASE))\b"
    r"|\bdropDatabase\(|\bdrop_database\(|\.drop\(\s*\{?\s*cascade|\bflush(?:db|all|Db|All)\(|\bDELETE\s+FROM\s+[\"`'$%{\w.]+\s*;?\s*[\"'`)]"
    r"|\.deleteMany\(\s*(?:\{\s*\})?\s*\)|\.delete_many\(\s*\{\s*\}\s*\)|\bsync\(\s*\{\s*force:\s*true|\bsynchronize\(\s*true\s*\)"
    r"|\bmigrate:fresh\b|\bmigrate reset\b|\bflyway\.clean\(|\.(?:truncate|destroy)\(\s*\{[^}\n]*(?:where:\s*\{\s*\}"
    r"|truncate:\s*true)"
    r"|\bDropTable\(|\bAutoMigrate\(.*drop|\bdelete_all\b|\bEnsureDeleted(?:Async)?\("
)
_READS = (
    r"(?:os\.environ(?:\.get)?[\[(]\s*|os\.getenv\(\s*|ENV(?:\.fetch)?[\[(]\s*|process\.env[.\[]\s*|getenv\(\s*|os\.Getenv\(\s*"
    r"|System\.getenv\(\s*|env::var\(\s*|\$_ENV\[\s*|Environment\.GetEnvironmentVariable\(\s*|env\(\s*)[\"']?(?P<name>%s)\b[\"']?"
    r"(?P<after>\s*[,)\]]?[^\n]{0,120})"
)
_IS_TEST = re.compile(
    r"(?i)(?:^|[\W_])(?:tests?|testing|testcontainers?|ephemeral|throwaway|sqlite|memory|postgresql_proc|pytest_postgresql)(?:$|[\W_])"
    r"|localhost|127\.0\.0\.1|_test\b|test_"
)
_GUARD = re.compile(
    r"(?i)\b(?:assert|if|unless|raise|throw|abort|panic|exit|require|skip|expect|fail)\b[^\n]{0,160}(?:test|localhost|127\.0\.0\.1|sqlite|prod|ENV\b|safe)"
    r"|monkeypatch\.setenv|setdefault\(|testcontainers|PostgresContainer|override_settings|create_database\("
)


def empties_any_database(text: str) -> str:
    """The text that empties a database which only the environment names; empty if the text has none, gives the
    database of the tests a name of its own, or asks which one it is."""
    reads = _variables().search(text) if "env" in text.lower() else None
    emptied = _EMPTIES.search(text) if reads else None
    if emptied is None or reads is None:
        return ""
    if _IS_TEST.search(reads["after"]) or _GUARD.search(_without_comments(text)):
        return ""
    return f"{' '.join(emptied[0].split())} on {reads['name']}"


def _without_comments(text: str) -> str:
    return "\n".join(
        line for line in text.split("\n") if not line.lstrip().startswith(("#", "//", "*", "import", "from"))
    )


@cache
def _variables() -> re.Pattern[str]:
    names = table_beside(__file__, "frameworks.yaml")["databases"]["variables"].split()
    return re.compile(_READS % "|".join(names))
