"""Texts in which a script stands but does not run. Each is a command line, or None where it does not apply."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.generality.scripts import double, program, single

MENTIONS: dict[str, Callable[[str], str | None]] = {}


def _put(title: str, mention: Callable[[str], str]) -> None:
    MENTIONS[title] = mention


def _word(title: str, before: str, behind: str = "") -> None:
    """The script as one quoted word."""
    MENTIONS[title] = lambda script: f"{before} {single(script)}{behind}"


def _text(title: str, before: str, behind: str = "") -> None:
    """The script in a here-document."""
    MENTIONS[title] = lambda script: f"{before} <<'END_OF_IT'\n{script}\nEND_OF_IT\n{behind}"


def _named(command: str) -> None:
    """A command about the program that the script begins with."""

    def mention(script: str) -> str | None:
        name = program(script)
        return command.format(name) if name else None

    MENTIONS[command.format("program")] = mention


def _commented(script: str) -> str:
    return "\n".join(f"# {line}" for line in script.splitlines())


def _line(script: str) -> str:
    return " ".join(script.split())


def _documented(script: str) -> str:
    return f"python3 - <<'END'\nfrom pathlib import Path\nPath('docs/faq.md').write_text({script!r})\nEND"


def _file(script: str) -> str:
    return _line(script).replace("/", "_")[:80]


_word("echo", "echo")
_word("echo to a file", "echo", " >> docs/runbook.md")
_word("printf", "printf '%s\\n'")
_word("printf, piped", "printf 'never run: %s\\n'", " | tee -a notes.txt")
_word("encoded", "echo", " | base64")
_word("sum", "printf %s", " | sha256sum")
_word("commit message", "git commit -m")
_word("second paragraph of a commit", "git commit -am 'docs: warn' -m")
_word("log --grep", "git log --oneline --grep")
_word("tag message", "git tag -a v1.2 -m")
_word("notes", "git notes add -m")
_word("grep", "grep -rn", " .")
_word("rg", "rg --fixed-strings", " src")
_word("grep of the history", "history | grep -c")
_word("issue", "gh issue create --title Dangerous --body")
_word("pull request comment", "gh pr comment 12 --body")
_word("pytest -k", "pytest -q -k")
_word("logged", "logger -t review")
_word("here-string", "wc -c <<<")
_word("nothing", ":")
_word("jq", "jq -n '{text: $text}' --arg text")
_word("awk variable", "awk 'BEGIN { print length(text) }' -v")
_word("argument of Python", "python3 -c 'import sys; print(sys.argv[1])'")
_word("argument of Perl", "perl -e 'print $ARGV[0]'")
_word("argument of Node", "node -e 'console.log(process.argv[1])'")
_word("argument of a script", "bash tools/explain.sh")
_word("argument of bash -c", "bash -c 'echo \"$1\"' _")
_word("argument of a checker", "python -m checker --explain")
_text("here-document to Markdown", "cat > NOTES.md")
_text("here-document to text", "cat >> docs/faq.txt")
_text("here-document by tee", "tee docs/faq.md > /dev/null")
_text("here-document to standard output", "cat")
_text("here-document counted", "wc -l", "pwd")
_text("here-document as a commit message", "git commit -F -")
_text("here-document as an issue", "gh issue create --title Dangerous --body-file -")
_text("here-document that is only checked", "bash -n")
_text("here-document to nothing", ":", "ls")
_put("echo, double quotes", lambda script: f"echo {double(script)}")
_put("grep -F", lambda script: f"grep -F -- {double(script)} docs/*.md | head")
_put("commit message by cat", lambda script: f"git commit -m \"$(cat <<'END'\nDocument {script}\n\nMore.\nEND\n)\"")
_put("comment", lambda script: f"{_commented(script)}\nls -la")
_put("comment behind", lambda script: f"ls -la  # {_line(script)}")
_put("variable", lambda script: f"NOTE={single(script)}; ls")
_put("exported variable", lambda script: f'export NOTE={double(script)}; echo "$NOTE"')
_put("array", lambda script: f"notes=({single(script)}); echo ${{#notes[@]}}")
_put("compared", lambda script: f'if [ "$1" = {single(script)} ]; then echo refused; fi')
_put("compared in double brackets", lambda script: f"[[ $1 == {single(script)} ]] && echo refused")
_put("case", lambda script: f'case "$1" in\n{single(script)}) echo refused ;;\nesac')
_put("function that nobody calls", lambda script: f"never() {{\n{script}\n}}\nls")
_put("JSON to this machine", lambda script: f"curl -s localhost:8080/notes -d {single(json.dumps({'text': script}))}")
_put("Python string", lambda script: f"python3 -c {single(f'print({script!r})')}")
_put("Python documentation", _documented)
_put("Python comment", lambda script: f"python3 - <<'END'\n{_commented(script)}\nprint(1)\nEND")
_put("JavaScript string", lambda script: f"node -e {single(f'console.log({json.dumps(script)})')}")
_put("file named like it", lambda script: f"touch {single(_file(script) + '.txt')}")
_put("folder named like it", lambda script: f"mkdir -p {single('docs/' + _file(script))}")
_put("searched file names", lambda script: f"find . -name {single('*' + _file(script) + '*')}")
_put("difference", lambda script: f"diff <(echo {single(script)}) expected.txt")
for _command in (
    *("man {}", "which {}", "type -a {}", "command -v {} >/dev/null && echo there", "{} --help", "apropos {}"),
    *("whatis {}", "apt-cache show {}", "echo {}", "ls -l $(which {})", "grep -rn {} docs", "tldr {}"),
):
    _named(_command)
