"""What is only data to a shell is not executed, however much it looks like a command."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.evidence.shell import read_script
from tests.evidence.shell_reading import read, spelt

DATA = r"""
man rm
which rm mv
type rm
help rm
apropos 'rm -rf /x'
whatis rm
command -V rm
sudo -l rm -rf /x
echo rm -rf /x
echo "$(echo 'rm -rf /x')"
printf '%s\n' 'rm -rf /x' >> history.txt
git commit -m "$(cat <<'EOF'⏎never rm -rf /x⏎EOF⏎)"
git log --grep='rm -rf /x'
git config --get alias.wipe '!rm -rf /x'
alias wipe='rm -rf /x'
trap - EXIT
V='rm -rf /x'
export V='rm -rf /x'; env | sort
cat <<'EOF' > install.sh⏎rm -rf /x⏎EOF
cat <<'EOF' > install.sh⏎rm -rf /x⏎EOF⏎cat install.sh
cat <<'EOF' > Makefile⏎clean:⏎⇥rm -rf /x⏎build:⏎⇥true⏎EOF⏎make build
cat <<'EOF' > Makefile⏎clean:⏎⇥rm -rf /x⏎EOF⏎make -n clean
echo '{"scripts": {"clean": "rm -rf /x"}}' > package.json; npm run build
echo 'rm -rf /x' | grep rm
echo 'rm -rf /x' | cat
echo 'rm -rf /x' | base64
echo 'rm -rf /x' | ssh host 'cat > notes.txt'
awk '/rm -rf \/x/ { print "rm -rf /x" }' log
awk '{ print "system(\"rm -rf /x\")" }' log
sed 's/echo/rm -rf \/x/' f
sed -i 's/e/rm -rf \/x/g' f
perl -ne 'print if /system/; print "rm -rf /x"' f
perl -e 'print "system(\"rm -rf /x\")"'
perl -e '# system("rm -rf /x")'
ruby -e 'puts "rm -rf /x"'
python3 -c 'print("rm -rf /x")'
python3 -c 'print("os.system(\"rm -rf /x\")")'
python3 -c '# os.system("rm -rf /x")'
python3 -c 'import subprocess; print(subprocess.__doc__, "rm -rf /x")'
python3 - <<'EOF'⏎import re⏎pattern = re.compile("rm -rf /x")⏎EOF
node -e 'console.log("rm -rf /x")'
node -e '/a/.exec("rm -rf /x")'
vim -c 's/a/rm -rf \/x/' f
tmux new-session -d -s rm
find . -name rm
xargs echo rm -rf /x < list
docker build -t rm .
kubectl get pods rm
ls # ; rm -rf /x
: 'rm -rf /x'
true <<< 'rm -rf /x'
test 'rm -rf /x' = "$1"
[[ $1 == 'rm -rf /x' ]]
case $1 in 'rm -rf /x') ls;; esac
curl -H 'X: rm -rf /x' https://example.org
rg 'rm -rf /x' -g '*.sh'
jq '.scripts.clean = "rm -rf /x"' package.json
bash -n script.sh 'rm -rf /x'
"""


@pytest.mark.parametrize("command", spelt(DATA))
def test_data_is_not_run(command: str) -> None:
    found = read(command, cwd="/w")
    assert not list(found.named("rm"))
    assert not found.unread


@pytest.mark.parametrize(
    ("command", "argv"),
    [
        ("x='a b'; ls \"$x\"", ["ls", "a b"]),
        ("x='a b'; ls $x", ["ls", "a", "b"]),
        ('set -- "a b" c; ls "$@"', ["ls", "a b", "c"]),
        ('set -- "a b" c; ls "$*"', ["ls", "a b c"]),
        ('A=("a b" c); ls "${A[@]}"', ["ls", "a b", "c"]),
        ('A=(a b c); ls "${A[@]:1}"', ["ls", "b", "c"]),
        ('A=(a b c); ls "${A[1]}" "${#A[@]}"', ["ls", "b", "3"]),
        ('A=(); ls "${A[@]}" x', ["ls", "x"]),
        ("x=abc; ls ${#x} ${x:1} ${x:0:1} ${x: -1}", ["ls", "3", "bc", "a", "c"]),
        ("x=a.b.c; ls ${x%.*} ${x%%.*} ${x#*.} ${x##*.}", ["ls", "a.b", "a", "b.c", "c"]),
        ("x=aXbX; ls ${x/X/-} ${x//X/-} ${x/%X/-} ${x/#a/-}", ["ls", "a-bX", "a-b-", "aXb-", "-XbX"]),
        ("x=Ab; ls ${x^^} ${x,,}", ["ls", "AB", "ab"]),
        ("x=1; ls ${x:+y} ${x:-z}", ["ls", "y", "1"]),
        ("ls --x='{a,b}' {c,d}", ["ls", "--x={a,b}", "c", "d"]),
        ("IFS=:; x=a:b; ls $x", ["ls", "a", "b"]),
    ],
)
def test_words(command: str, argv: list[str]) -> None:
    assert [list(each.argv) for each in read(command).named("ls")] == [argv]


def test_what_is_set_for_one_command_is_told() -> None:
    git = next(read("GIT_DIR=/a FOO='b c' git status").named("git"))
    assert git.environment == (("GIT_DIR", "/a"), ("FOO", "b c"))
    inner = next(read("env A=1 ls").named("ls"))
    assert inner.environment == (("A", "1"),)


def test_declarations_are_commands() -> None:
    found = read("export A=1 B; unset HISTFILE; declare -r C='x y'")
    assert [each.argv for each in found.commands] == [
        ("export", "A=1", "B"),
        ("unset", "HISTFILE"),
        ("declare", "-r", "C=x y"),
    ]


NAMES = st.sampled_from(["x", "y", "A"])
VALUES = st.text(st.sampled_from("ab/ *.-'$X{}[]#%"), max_size=8)
OPERATORS = st.sampled_from(["#", "##", "%", "%%", "/", "//", ":", ":-", ":+", "^^", ",,", "[0]", "[@]", "@Q"])


@settings(deadline=None)
@given(NAMES, VALUES, OPERATORS, VALUES)
def test_no_expansion_breaks_the_reader(name: str, value: str, operator: str, operand: str) -> None:
    quoted = value.replace("'", "")
    read(f"{name}='{quoted}'; echo ${{{name}{operator}{operand}}} \"${{{name}{operator}{operand}}}\"; ls")


@pytest.mark.parametrize("quote", ["'", ""])
@pytest.mark.parametrize("line", ["\\! ls", "\\copy t from x", "\\\\ a", "plain"])
def test_the_first_line_of_a_here_document_is_kept(quote: str, line: str) -> None:
    script = f"psql shop <<{quote}END{quote} | cat\n{line}\nSELECT 1;\nEND\n"
    client = next(each for each in read_script(script, None).commands if each.program == "psql")
    kept = line if quote else line.replace("\\\\", "\\")
    assert client.args == ("shop",)
    assert client.stdin == f"{kept}\nSELECT 1;\n"
