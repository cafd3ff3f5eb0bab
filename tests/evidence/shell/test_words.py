"""Spellings of `rm -rf /x` in the shell's own language: all of them are read."""

import pytest

from tests.evidence.shell_reading import is_run, spelt

SPELLINGS = r"""
while true; do rm -rf /x; done
until false; do rm -rf /x; break; done
select a in b c; do rm -rf /x; done
for ((i=0;i<3;i++)); do rm -rf /x; done
case "$1" in a) rm -rf /x;; esac
case a in a|b) true;; *) rm -rf /x ;& esac
f() { rm -rf /x; }; f
function f { rm -rf "$1"; }; f /x
function f() ( rm -rf "$@" ); f /x
f() { local d=$1; rm -rf "$d"; }; f /x
if [[ -d /x ]]; then rm -rf /x; fi
[ -d /x ] && { rm -rf /x; }
! rm -rf /x
time rm -rf /x
coproc rm -rf /x
coproc N { rm -rf /x; }
rm -rf /x &
(cd / && rm -rf x)
cd / ; rm -rf x
pushd / && rm -rf x
pushd / >/dev/null; rm -rf x; popd
export D=/x; rm -rf $D
declare D=/x; rm -rf "$D"
declare -r D=/x; rm -rf "$D"
readonly D=/x; rm -rf "$D"
local D=/x; rm -rf "$D"
typeset D=/x; rm -rf "$D"
A=(/x /y); rm -rf "${A[0]}"
A=(/x /y); rm -rf "${A[@]}"
A=(rm -rf /x); "${A[@]}"
A=(rm -rf); A+=(/x); "${A[@]}"
A=(rm -rf /x); ${A[*]}
declare -a A=(rm -rf /x); "${A[@]}"
printf -v D '%s' /x; rm -rf $D
read D <<< /x; rm -rf $D
read -r D <<< "/x"; rm -rf "$D"
read A B <<< "-rf /x"; rm $A $B
D=/y/../x; rm -rf $D
D=/xyz; rm -rf ${D%yz}
D=abc/x; rm -rf ${D#abc}
D=abc/x; rm -rf ${D##*c}
D=/xbbc; rm -rf ${D%%b*}
D=/yyy; rm -rf ${D/yyy/x}
D=_x; rm -rf ${D//_//}
D=/xabc; rm -rf ${D:0:2}
D=ab/x; rm -rf ${D:2}
D=/x; E=D; rm -rf ${!E}
C=RM; ${C,,} -rf /x
c=Rm; ${c,} -rf /x
rm -rf ${D:=/x}
: ${D:=/x}; rm -rf $D
: "${D:=/x}"; rm -rf "$D"
D=1; rm -rf ${D:+/x}
rm -rf "${UNSET-/x}"
$'rm' -rf $'/x'
$"rm" -rf /x
r""m -rf /x
r\m -rf /x
'r'm -rf /x
"rm" -rf /x
/bin/rm -rf /x
/bin/r? -rf /x
/???/rm -rf /x
/bin/r[m] -rf /x
{rm,-rf,/x}
rm${IFS}-rf${IFS}/x
rm$IFS-rf$IFS/x
IFS=,; C=rm,-rf,/x; $C
X=$'rm\x20-rf\x20/x'; $X
shopt -s expand_aliases⏎alias r='rm -rf'⏎r /x
alias r='rm -rf'; r /x
alias ll="ls -l" r='rm -rf'⏎r /x
set -- /x; rm -rf "$1"
set -- rm -rf /x; "$@"
set -- /x; rm -rf $*
set -- a /x; shift; rm -rf $1
trap 'rm -rf /x' EXIT
trap -- 'rm -rf /x' INT TERM
f() { rm -rf /x; }; trap f EXIT
exec rm -rf /x
exec > log 2>&1; rm -rf /x
exec -a foo rm -rf /x
builtin eval rm -rf /x
eval "$(echo rm -rf /x)"
$(echo rm -rf /x)
$(echo rm) -rf /x
`echo rm` -rf /x
$(printf 'r%s' m) -rf /x
$(printf '\x72\x6d') -rf /x
$(printf "%b" '\162\155') -rf /x
$(echo -e '\x72\x6d') -rf /x
$(tr a-z b-za <<< ql) -rf /x
$(echo mr | rev) -rf /x
$(echo cm0gLXJmIC94Cg== | base64 -d)
eval $(echo cm0gLXJmIC94Cg== | base64 --decode)
eval "$(base64 -d <<< cm0gLXJmIC94Cg==)"
base64 -d <<< cm0gLXJmIC94Cg== | sh
echo cm0gLXJmIC94Cg== | base64 -di | sh
echo cm0gLXJmIC94Cg== | openssl base64 -d | sh
echo 726d202d7266202f78 | xxd -r -p | sh
echo 726d202d7266202f78 | xxd -rp | bash
echo "x/ fr- mr" | rev | sh
echo 'ez -es /k' | tr 'a-z' 'n-za-m' | sh
echo 'ez -es /k' | rot13 | sh
echo "rm -rf /x" | tee f | sh
echo "rm -rf /x" | cat | sh
echo "zm -rf /x" | sed 's/z/r/' | sh
printf 'rm -rf %s\n' /x | bash
printf '%s %s %s' rm -rf /x | sh
echo -e "rm\t-rf\t/x" | sh
bash <(echo rm -rf /x)
source <(echo rm -rf /x)
. <(echo rm -rf /x)
source /dev/stdin <<< "rm -rf /x"
sh -s <<EOF⏎rm -rf /x⏎EOF
sh <<'EOF'⏎rm -rf /x⏎EOF
cat <<'EOF' | bash⏎rm -rf /x⏎EOF
bash -s -- /x <<'EOF'⏎rm -rf $1⏎EOF
sh /dev/stdin <<EOF⏎rm -rf /x⏎EOF
cat > /tmp/a.sh <<'EOF'⏎rm -rf /x⏎EOF⏎bash /tmp/a.sh
cat > a.sh <<'EOF'⏎rm -rf /x⏎EOF⏎chmod +x a.sh && ./a.sh
echo 'rm -rf /x' > a.sh; sh a.sh
echo 'rm -rf /x' > a.sh; source a.sh
echo 'rm -rf /x' | tee a.sh; . ./a.sh
echo 'rm -rf "$1"' > a.sh; sh a.sh /x
rm -rf /x > /dev/null 2>&1
> out rm -rf /x
{ rm -rf /x; } {fd}>out
rm -rf /x &>> log
rm <> f -rf /x
cat <<< "$(rm -rf /x)"
echo "a $(rm -rf /x) b" > f
diff <(rm -rf /x) <(ls)
echo $(( $(rm -rf /x) + 1 ))
A=$(rm -rf /x)
A=$(rm -rf /x) true
export A=$(rm -rf /x)
local A="$(rm -rf /x)"
A[$(rm -rf /x)]=1
[[ $(rm -rf /x) == a ]]
[ "$(rm -rf /x)" ]
for f in $(rm -rf /x); do ls; done
case $(rm -rf /x) in *) ;; esac
echo ${A:-$(rm -rf /x)}
for d in / /y; do rm -rf ${d}x; done
for d in /x; do for e in 1; do rm -rf $d; done; done
for c in 'rm -rf /x' ls; do eval "$c"; done
for c in 'rm -rf /x' ls; do $c; done
while read -r d; do rm -rf "$d"; done <<< /x
echo /x | while read d; do rm -rf "$d"; done
while read d; do rm -rf "$d"; done <<EOF⏎/x⏎EOF
cat <<EOF | while read d; do rm -rf $d; done⏎/x⏎EOF
echo /x | { read d; rm -rf $d; }
mapfile -t a <<< /x; rm -rf "${a[@]}"
FOO=1 rm -rf /x
FOO=1 BAR="a b" sudo rm -rf /x
D=/x bash -c 'rm -rf $D'
env D=/x bash -c 'rm -rf $D'
env D=/x sh -c 'rm -rf "$D"'
D=/x; export D; bash -c 'rm -rf $D'
a=r; b=m; $a$b -rf /x
a=r b=m; "$a$b" -rf /x
rm -rf \⏎  /x
rm -rf "/"x
rm -r -f /x
if rm -rf /x; then :; fi
while ! rm -rf /x; do :; done
true || rm -rf /x
ls; # comment⏎rm -rf /x
let "a=$(rm -rf /x)"
((a=$(rm -rf /x)))
echo a >$(rm -rf /x)
D=$HOME/../../x; rm -rf /x
x() { rm -rf /x; }; y() { x; }; y
y() { x; }; x() { rm -rf /x; }; y
D=$(echo /x); rm -rf $D
D=$(echo "/x"); rm -rf "$D"
D=$(cat <<EOF⏎/x⏎EOF⏎); rm -rf "$D"
D="$(dirname /x/y)"; rm -rf "$D"
rm -rf "$(dirname /x/y)"
rm -rf "/$(basename /y/x)"
rm -rf $(realpath /x)
rm -rf -- /x
cat <<-EOF | sh⏎⇥rm -rf /x⏎⇥EOF
sh <<EOF && echo done⏎rm -rf /x⏎EOF
rm -rf $((1)) /x
rm -rf /x{,}
D=x; rm -rf ~/../../$D /x
eval rm\ -rf\ /x
eval 'eval "rm -rf /x"'
"$SHELL" -c 'rm -rf /x'
$SHELL -c 'rm -rf /x'
$0 -c 'rm -rf /x'
"$BASH" -c 'rm -rf /x'
"""


@pytest.mark.parametrize("command", spelt(SPELLINGS))
def test_spellings_run_the_same(command: str) -> None:
    assert is_run(command)
