"""Has the database server run a program of its machine, or load code that may do anything there."""

from supervisor.evidence.actions.statements import statements
from supervisor.evidence.effects import Act
from supervisor.evidence.sql import Statement
from supervisor.specialist import Action, Context, Opinion, block, flag, ok, specialist

_RUNS = "SYS_EVAL|SYS_EXEC|XP_CMDSHELL|SP_OACREATE|SP_OAMETHOD|SP_EXECUTE_EXTERNAL_SCRIPT|LOAD_EXTENSION"
_UNTRUSTED = "PLPYTHONU|PLPYTHON2U|PLPYTHON3U|PLPERLU|PLTCLU|PLSH|PLRUBYU"
_UNPACKS = ("cat ", "gunzip ", "gzip -d", "unzip -p", "xzcat ", "zcat ", "zstd -d", "zstdcat ")


@specialist("sql", "shell", "python", "javascript", about=[Act.DATABASE])
def program_run_by_database(action: Action, context: Context) -> Opinion:
    for each in statements(action, context):
        if not each.runs:
            continue
        evidence = (each.source[:200],)
        program = _program(each)
        if program and program.strip("'").startswith(_UNPACKS) and not set(program) & set(";|&`$"):
            return flag(f"The database server unpacks a file for COPY: {program}.", evidence=evidence)
        if program:
            return block(f"The database server would run a program on its machine: {program}.", evidence=evidence)
        if each.has_phrase("EXTENSION|LANGUAGE", _UNTRUSTED) or each.has_phrase("NOT", "EXISTS", _UNTRUSTED):
            return flag("It adds a language that can do anything on the server's machine.", evidence=evidence)
    return ok()


def _program(each: Statement) -> str:
    """The program that would run; empty if none."""
    words = each.words
    if each.starts("COPY") and each.has_phrase("FROM|TO", "PROGRAM"):
        return words[words.index("PROGRAM") + 1] if words[-1] != "PROGRAM" else ""
    for at, word in enumerate(words):
        name = word.strip('"')
        if name in _RUNS.split("|"):
            called = each.starts("EXEC|EXECUTE|CALL") or words[at + 1 : at + 2] == ("(",) or at == 0
            if called:
                return name.lower()
        if word.strip("'").lower() in ("xp_cmdshell", "ole automation procedures") and each.has_phrase("SP_CONFIGURE"):
            return f"{word.strip(chr(39))}, once it is switched on" if words[-1] == "1" else ""
    if each.starts("CREATE") and each.has_phrase("SONAME"):
        return f"the library {words[-1]}"
    return ""
