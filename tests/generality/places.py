"""What may stand before a command, and what may stand around a script, so that it runs all the same."""

from __future__ import annotations

from collections.abc import Callable

from tests.generality.scripts import ansi, double, encoded, end, escapes, perl, program, quoted, single

BEFORE: dict[str, Callable[[str], str | None]] = {}
AROUND: dict[str, Callable[[str], str | None]] = {}


def _before(prefix: str) -> None:
    BEFORE[f"{prefix} …"] = lambda script: f"{prefix} {script}" if program(script) else None


for _prefix in (
    *("sudo", "sudo -n", "sudo -u root", "sudo --", "doas", "env", "env LANG=C", "env -u X", "FOO=1", "A=1 B='2 3'"),
    *("nice", "nice -n 10", "ionice -c3", "timeout 5", "timeout -k 1 30s", "command", "stdbuf -oL", "setsid", "!"),
    *("busybox", "sudo env PATH=/bin", "sudo -E nohup nice", "exec", "chronic", "strace -f", "unbuffer", "cd . &&"),
    *("true &&", "false ||", "set -e;", "echo start;", "sleep 1;", "[ -d . ] &&", "ls | wc -l;", "time", "time -p"),
):
    _before(_prefix)


def _put(title: str, spell: Callable[[str], str]) -> None:
    AROUND[title] = spell


def _on_one_line(title: str, spell: Callable[[str], str]) -> None:
    """For scripts of one line alone."""
    AROUND[title] = lambda script: spell(script) if "\n" not in script else None


def _heredoc(title: str, before: str, behind: str = "") -> None:
    """A here-document with the script in it, behind `before`."""
    AROUND[title] = lambda script: f"{before} <<'{end(script)}'\n{script}\n{end(script)}\n{behind}"


def _written(title: str, run: str, file: str = "go.sh") -> None:
    """The script in a file that something then runs."""
    _heredoc(title, f"cat > {file}", run)


def _code(title: str, program: str, quote: Callable[[str], str], code: str) -> None:
    """Code of another language; `@` in it stands for the script, quoted as that language has it."""
    AROUND[title] = lambda script: f"{program} {single(code.replace('@', quote(script)))}"


_put("subshell", lambda script: f"(\n{script}\n)")
_put("group", lambda script: f"{{\n{script}\n}}")
_put("group, redirected", lambda script: f"{{\n{script}\n}} >/dev/null 2>&1")
_put("negated", lambda script: f"! {{\n{script}\n}}")
_put("if", lambda script: f"if true; then\n{script}\nfi")
_put("else", lambda script: f"if [ -f x ]; then echo x; else\n{script}\nfi")
_put("condition", lambda script: f"if {{\n{script}\n}}; then echo yes; fi")
_put("condition of brackets", lambda script: f"[[ -n x ]] && (( 1 )) && {{\n{script}\n}}")
_put("for", lambda script: f"for i in 1; do\n{script}\ndone")
_put("counted loop", lambda script: f"for ((i = 0; i < 1; i++)); do\n{script}\ndone")
_put("while", lambda script: f"while true; do\n{script}\nbreak; done")
_put("until", lambda script: f"until false; do\n{script}\nbreak\ndone")
_put("case", lambda script: f"case $1 in\n*)\n{script}\n;;\nesac")
_put("after a command", lambda script: f"mkdir -p out && cd .\n{script}")
_put("before a command", lambda script: f"{script}\necho done")
_put("on two sides", lambda script: f"echo a; {{\n{script}\n}}; echo b")
_put("where it may fail", lambda script: f"{{\n{script}\n}} || true")
_put("in the background", lambda script: f"{{\n{script}\n}} &\nwait")
_put("coprocess", lambda script: f"coproc {{\n{script}\n}}")
_put("piped on", lambda script: f"{{\n{script}\n}} 2>&1 | tee run.log")
_put("function", lambda script: f"whole() {{\n{script}\n}}\nwhole")
_put("function keyword", lambda script: f"function go_on {{\n{script}\n}}; go_on 1 2")
_put("function in a function", lambda script: f"a() {{\nb() {{\n{script}\n}}\nb\n}}\na")
_put("alias", lambda script: f"shopt -s expand_aliases\nalias go={single(script)}\ngo")
_put("comment before", lambda script: f"# nothing to see\n{script}")
_put("blank lines", lambda script: f"\n\n  {script}\n\n")
_put("strict mode", lambda script: f"set -euo pipefail; IFS=$' \\n\\t'\n{script}")
_put("debug mode", lambda script: f"exec 2>/dev/null\nset -x\n{script}")
_put("substituted", lambda script: f'echo "$(\n{script}\n)"')
_put("assigned", lambda script: f'OUT=$(\n{script}\n)\necho "$OUT"')
_put("exported", lambda script: f'export OUT="$(\n{script}\n)"')
_put("tested", lambda script: f'[ -n "$(\n{script}\n)" ] && echo yes')
_put("array of its output", lambda script: f"out=($(\n{script}\n))")
_put("process substitution", lambda script: f"cat <(\n{script}\n)")
_put("compared", lambda script: f"diff <(\n{script}\n) <(ls)")
_put("read from", lambda script: f"read -r out < <(\n{script}\n)")
_put("written to", lambda script: f"date > >(\n{script}\n)")
_put("bash -c", lambda script: f"bash -c {single(script)}")
_put("sh -c, double quotes", lambda script: f"sh -c {double(script)}")
_put("bash -lc, ANSI-C quotes", lambda script: f"bash -lc {ansi(script)}")
_put("bash -c of a variable", lambda script: f'S={single(script)}; bash -c "$S"')
_put("bash -c of a parameter", lambda script: f"bash -c 'eval \"$1\"' _ {single(script)}")
_put("bash -c of base64", lambda script: f'bash -c "$(echo {encoded(script)} | base64 -d)"')
_put("bash -c twice", lambda script: f"bash -c {single(f'sh -c {double(script)}')}")
_put("bash -x -c", lambda script: f"bash --norc -x -c {single(script)} 2>trace.log")
_put("zsh -c", lambda script: f"zsh -fc {single(script)}")
_put("dash -ec", lambda script: f"/bin/dash -ec {single(script)}")
_put("busybox sh -c", lambda script: f"busybox sh -c {single(script)}")
_put("env bash -c", lambda script: f"env bash -euo pipefail -c {single(script)}")
_put("env -S", lambda script: f"env -S {single('bash -c ' + double(script))}")
_put("sudo sh -c", lambda script: f"sudo sh -c {double(script)}")
_put("timeout bash -c", lambda script: f"timeout 60 /bin/bash -c {single(script)}")
_put("nohup sh -c", lambda script: f"nohup sh -c {single(script)} >/dev/null 2>&1 &")
_put("setsid, nice, bash", lambda script: f"setsid nice -n 19 bash -c {single(script)} &")
_put("systemd-run", lambda script: f"systemd-run --scope bash -c {single(script)}")
_put("su -c", lambda script: f"su - root -c {single(script)}")
_put("script -c", lambda script: f"script -qc {single(script)} /dev/null")
_put("flock -c", lambda script: f"flock /tmp/lock -c {single(script)}")
_put("watch", lambda script: f"watch -n 60 {single(script)}")
_put("tmux", lambda script: f"tmux new-session -d -s work {single(script)}")
_put("screen", lambda script: f"screen -dmS work bash -c {single(script)}")
_put("at", lambda script: f"at now <<< {single(script)}")
_put("trap", lambda script: f"trap {single(script)} EXIT")
_put("git alias", lambda script: f"git -c alias.go={single('!' + script)} go")
_put("eval", lambda script: f"eval {single(script)}")
_put("eval, double quotes", lambda script: f"eval {double(script)}")
_put("eval of a variable", lambda script: f'CMD={single(script)}\neval "$CMD"')
_put("eval of base64", lambda script: f'eval "$(base64 --decode <<< {encoded(script)})"')
_put("here-string", lambda script: f"bash <<< {single(script)}")
_put("variable in a here-string", lambda script: f'CMD={single(script)}; bash <<< "$CMD"')
_put("echo into a shell", lambda script: f"echo {single(script)} | bash")
_put("variable into a shell", lambda script: f'CMD={single(script)}\necho "$CMD" | bash')
_put("printf into a shell", lambda script: f"printf '%s\\n' {single(script)} | sh")
_put("ANSI-C quotes into a shell", lambda script: f"printf %s {ansi(script)} | bash")
_put("escaped printf", lambda script: f"printf '{escapes(script)}' | sh")
_put("echo -e", lambda script: f"echo -e '{escapes(script)}' | sh")
_put("base64 into a shell", lambda script: f"echo {encoded(script)} | base64 -d | sh")
_put("base64 by openssl", lambda script: f"echo {encoded(script)} | openssl base64 -d -A | bash")
_put("hexadecimal", lambda script: f"echo {script.encode().hex()} | xxd -r -p | sh")
_put("shell of a substitution", lambda script: f"bash <(printf '%s' {single(script)})")
_put("source of a substitution", lambda script: f"source <(echo {single(script)})")
_put("source of standard input", lambda script: f". /dev/stdin <<< {single(script)}")
_put("file by echo, then itself", lambda script: f"echo {single(script)} > go.sh && chmod +x go.sh && ./go.sh")
_put("file by printf, then source", lambda script: f"printf '%s\\n' {single(script)} > a.sh; source ./a.sh")
_put("xargs sh -c", lambda script: f"echo go | xargs -I@@ sh -c {single(script)}")
_on_one_line("turned around", lambda script: f"echo {single(script[::-1])} | rev | sh")
_on_one_line("make", lambda script: f"make -f - <<'END'\nall:\n\t{script.replace('$', '$$')}\nEND")
_on_one_line("line by line", lambda script: f'while IFS= read -r it; do eval "$it"; done <<< {single(script)}')
_on_one_line("sed e", lambda script: f"sed {single(f'1e {script}')} README.md")
_on_one_line("vim", lambda script: f"vim -es -c {single(f':!{script}')} -c q")
_heredoc("here-document", "bash")
_heredoc("here-document for sudo bash -s", "sudo bash -s", "echo done")
_heredoc("here-document with parameters", "sh -s -- a b")
_heredoc("shell on standard input", "bash /dev/stdin")
_heredoc("here-document for sudo bash", "sudo bash -eu")
_heredoc("eval of a here-document", 'eval "$(cat', ')"')
_heredoc("bash -c of a here-document", 'bash -c "$(cat', ')"')
_heredoc("file by tee", "tee step.sh >/dev/null", "sh ./step.sh")
_written("file, then shell", "bash go.sh")
_written("file, then sudo itself", "chmod 755 /tmp/x; sudo /tmp/x", "/tmp/x")
_written("file, piped into a shell", "cat go.sh | sh")
_written("file as input", "bash < go.sh")
_code("python os.system", "python3 -c", repr, "import os; os.system(@)")
_code("python import in place", "python3 -c", repr, "__import__('os').system(@)")
_code("python subprocess", "python3 -c", repr, "import subprocess as s\ns.run(@, shell=True)")
_code("python subprocess of bash -c", "python3 -c", repr, "from subprocess import *\ncheck_call(['bash', '-c', @])")
_code("python of a variable", "python3 -c", repr, "import os\ncmd = @\nif True:\n    os.popen(cmd).read()")
_code("python exec", "python3 -c", lambda script: repr(f"import os; os.system({script!r})"), "exec(@)")
_code("python by a here-string", "python3 <<<", repr, "import os; os.system(@)")
_code("node execSync", "node -e", quoted, "require('child_process').execSync(@)")
_code("node exec of a variable", "node -e", quoted, "const {exec} = require('child_process');\nlet c = @;\nexec(c)")
_code("perl system", "perl -e", perl, "system(@);")
_code("perl exec", "perl -we", perl, "exec @")
_code("perl system of a variable", "perl -e", perl, "my $c = @; system($c);")
_code("ruby system", "ruby -e", perl, "system(@)")
_code("php system", "php -r", perl, "system(@);")
_code("lua os.execute", "lua -e", quoted, "os.execute(@)")
_code("R system", "Rscript -e", quoted, "system(@)")
_code("awk system", "awk", quoted, "BEGIN { system(@) }")
_code("awk getline", "awk", quoted, "BEGIN { @ | getline x; print x }")


def _piped(script: str) -> str:
    return f"cat <<'{end(script)}' | sudo bash\n{script}\n{end(script)}"


def _found(script: str) -> str | None:
    """find puts what it finds in place of `{}`."""
    return f"find . -maxdepth 0 -exec sh -c {single(script)} \\;" if "{}" not in script else None


def _in_heredoc(script: str) -> str | None:
    """A substitution in a here-document runs; another here-document within it would end it."""
    return f"cat <<END_OF_IT\n$(\n{script}\n)\nEND_OF_IT" if "<<" not in script else None


def _default(script: str) -> str | None:
    return f'echo "${{NOTHING:-$(\n{script}\n)}}"' if "}" not in script else None


AROUND |= {
    "piped here-document": _piped,
    "find -exec sh -c": _found,
    "substituted in a here-document": _in_heredoc,
    "substituted as a default": _default,
}
