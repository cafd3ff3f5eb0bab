"""`rm -rf /x` inside what other programs are given: scripts, hooks, code of other languages, files."""

import pytest

from tests.evidence.shell_reading import is_run, spelt

EMBEDDED = r"""
git -c alias.x='!rm -rf /x' x
git config alias.z '!rm -rf /x' && git z
git config --global alias.z '!rm -rf /x'; git z
git submodule foreach 'rm -rf /x'
git submodule foreach --recursive rm -rf /x
git bisect run rm -rf /x
git bisect run sh -c 'rm -rf /x'
git rebase --exec 'rm -rf /x' main
git rebase -x 'rm -rf /x' main
git rebase -i --exec='rm -rf /x' main
git filter-branch --tree-filter 'rm -rf /x' HEAD
git filter-branch -f --index-filter='rm -rf /x' HEAD
git -c core.pager='rm -rf /x' log
git -c core.sshCommand='rm -rf /x' fetch
git -c core.editor='rm -rf /x' commit
git difftool -x 'rm -rf /x'
GIT_SSH_COMMAND='rm -rf /x' git fetch
GIT_EDITOR='rm -rf /x' git commit
EDITOR='rm -rf /x' crontab -e
PAGER='rm -rf /x' man ls
vim -c '!rm -rf /x' -c q
vim -es '+!rm -rf /x' +q
vim -c ':!rm -rf /x'
nvim --headless -c '!rm -rf /x'
ex -c '!rm -rf /x' -c 'q'
vi -c 'silent !rm -rf /x' f
vim -c 'call system("rm -rf /x")'
ex -s f <<< '!rm -rf /x'
ed -s f <<< '!rm -rf /x'
awk 'BEGIN{system("rm -rf /x")}'
awk "BEGIN { system(\"rm -rf /x\") }"
gawk 'BEGIN{"rm -rf /x" | getline}'
awk '{print | "rm -rf /x"}' f
awk -F: '{system("rm -rf /x")}' f
sed 's/a/rm -rf \/x/e' f
sed '1e rm -rf /x' f
sed -n '1e rm -rf /x' f
sed -e '1erm -rf /x' f
tar cf /dev/null f --checkpoint=1 --checkpoint-action=exec='rm -rf /x'
tar xf f --to-command='rm -rf /x'
tar -I 'rm -rf /x' -cf a b
tar --use-compress-program='rm -rf /x' -cf a b
rsync -e 'rm -rf /x' a h:b
rsync -e 'sh -c "rm -rf /x"' a h:b
rsync --rsync-path='rm -rf /x' a h:b
zip a.zip f -T -TT 'rm -rf /x'
man -P 'rm -rf /x' ls
less '+!rm -rf /x' f
perl -e 'system("rm -rf /x")'
perl -e 'exec "rm -rf /x"'
perl -e '`rm -rf /x`'
perl -we 'system("rm", "-rf", "/x")'
perl -e 'qx{rm -rf /x}'
perl -ne 'system("rm -rf /x")' f
ruby -e 'system("rm -rf /x")'
ruby -e '`rm -rf /x`'
ruby -e 'exec "rm", "-rf", "/x"'
ruby -e '%x(rm -rf /x)'
php -r 'system("rm -rf /x");'
php -r 'shell_exec("rm -rf /x");'
python -c 'import os; os.system("rm -rf /x")'
python3 -c 'import subprocess; subprocess.run(["rm","-rf","/x"])'
python3 -c 'import subprocess; subprocess.run("rm -rf /x", shell=True)'
python3 -c 'import subprocess as s; s.check_call(["rm","-rf","/x"])'
python - <<'EOF'⏎import os⏎os.system('rm -rf /x')⏎EOF
python3 <<'EOF'⏎from subprocess import Popen⏎cmd = ["rm", "-rf", "/x"]⏎Popen(cmd).wait()⏎EOF
echo 'import os; os.system("rm -rf /x")' | python3
python3 -uc 'import os; os.popen("rm -rf /x")'
python -c "import pty; pty.spawn(['rm','-rf','/x'])"
python -c "__import__('os').system('rm -rf /x')"
python -c "import os; os.execvp('rm', ['rm','-rf','/x'])"
python -c "from os import system as s; s('rm -rf /x')"
node -e 'require("child_process").execSync("rm -rf /x")'
node -e "require('child_process').spawnSync('rm', ['-rf', '/x'])"
node -e 'const {exec}=require("child_process"); exec("rm -rf /x")'
node --eval='require("child_process").exec("rm -rf /x")'
bun -e 'Bun.spawn(["rm","-rf","/x"])'
lua -e 'os.execute("rm -rf /x")'
Rscript -e 'system("rm -rf /x")'
tclsh <<< 'exec rm -rf /x'
osascript -e 'do shell script "rm -rf /x"'
emacs --batch --eval '(shell-command "rm -rf /x")'
gdb -batch -ex '!rm -rf /x'
gdb -batch -ex 'shell rm -rf /x'
psql -c '\! rm -rf /x'
sqlite3 f '.shell rm -rf /x'
sqlite3 f '.system rm -rf /x'
mysql -e '\! rm -rf /x'
make -f - <<'EOF'⏎all:⏎⇥rm -rf /x⏎EOF
cat > Makefile <<'EOF'⏎clean:⏎⇥rm -rf /x⏎EOF⏎make clean
printf 'clean:\n\trm -rf /x\n' > Makefile; make clean
cat > package.json <<'EOF'⏎{"scripts": {"clean": "rm -rf /x"}}⏎EOF⏎npm run clean
npx -c 'rm -rf /x'
npm exec -c 'rm -rf /x'
pnpm exec rm -rf /x
yarn exec rm -rf /x
bundle exec rm -rf /x
poetry run rm -rf /x
uv run rm -rf /x
pipenv run rm -rf /x
conda run -n e rm -rf /x
mamba run -n e rm -rf /x
hatch run rm -rf /x
rye run rm -rf /x
pdm run rm -rf /x
nix-shell --run 'rm -rf /x'
nix-shell -p a --run 'rm -rf /x'
nix develop -c rm -rf /x
guix shell a -- rm -rf /x
direnv exec . rm -rf /x
dotenv -- rm -rf /x
dotenv run rm -rf /x
envdir a rm -rf /x
op run -- rm -rf /x
doppler run -- rm -rf /x
aws-vault exec a -- rm -rf /x
chronic rm -rf /x
strace -f -o t rm -rf /x
ltrace rm -rf /x
gdb --args rm -rf /x
valgrind --leak-check=full rm -rf /x
perf stat rm -rf /x
perf record -g -- rm -rf /x
hyperfine 'rm -rf /x'
hyperfine --warmup 3 'rm -rf /x'
catchsegv rm -rf /x
expect -c 'spawn rm -rf /x'
rlwrap rm -rf /x
socat - EXEC:'rm -rf /x'
start-stop-daemon --start --exec /bin/rm -- -rf /x
daemonize /bin/rm -rf /x
caffeinate -i rm -rf /x
arch -x86_64 rm -rf /x
linux64 rm -rf /x
setarch x86_64 -R rm -rf /x
prlimit --nofile=10 rm -rf /x
softlimit -m 100 rm -rf /x
retry rm -rf /x
pv f | sh -c 'rm -rf /x'
noglob rm -rf /x
nocorrect rm -rf /x
mise exec -- rm -rf /x
asdf exec rm -rf /x
rbenv exec rm -rf /x
pyenv exec rm -rf /x
cargo watch -x a -s 'rm -rf /x'
nodemon --exec 'rm -rf /x'
concurrently 'rm -rf /x' ls
watchexec rm -rf /x
inotifywait a && rm -rf /x
openvt -- rm -rf /x
xterm -e rm -rf /x
gnome-terminal -- rm -rf /x
rc -c 'rm -rf /x'
"""


@pytest.mark.parametrize("command", spelt(EMBEDDED))
def test_embedded_run_the_same(command: str) -> None:
    assert is_run(command)
