"""Commands that run `rm -rf /x` in turn, here or elsewhere: all of them are seen through."""

import pytest

from tests.evidence.shell_reading import is_run, spelt

WRAPPERS = r"""
sudo rm -rf /x
sudo -u root -- rm -rf /x
sudo -uroot rm -rf /x
sudo --user=root rm -rf /x
sudo -E A=b rm -rf /x
sudo -i rm -rf /x
sudo -s 'rm -rf /x'
sudo -nEH bash -c 'rm -rf /x'
sudo -D / rm -rf x
doas -u root rm -rf /x
pkexec rm -rf /x
pkexec --user root rm -rf /x
run0 rm -rf /x
run0 --user=root rm -rf /x
su -c 'rm -rf /x'
su root -c 'rm -rf /x'
su - -c "rm -rf /x"
su --command='rm -rf /x' root
su -lc 'rm -rf /x'
runuser -u a -- rm -rf /x
runuser -l a -c 'rm -rf /x'
env -i rm -rf /x
env -u A rm -rf /x
env -uA B=1 rm -rf /x
env - A=1 rm -rf /x
env -S 'rm -rf /x'
env -iS 'rm -rf /x'
env -S'rm -rf' /x
env -C / rm -rf x
env --chdir=/ rm -rf x
env --ignore-environment --split-string='rm -rf /x'
nohup rm -rf /x &
setsid -f rm -rf /x
timeout 5 rm -rf /x
timeout -s KILL 5 rm -rf /x
timeout --signal=KILL --foreground 5s rm -rf /x
gtimeout 5 rm -rf /x
nice rm -rf /x
nice -n 19 rm -rf /x
nice -19 rm -rf /x
ionice -c2 -n7 rm -rf /x
ionice -c 3 nice rm -rf /x
chrt -b 0 rm -rf /x
taskset -c 0 rm -rf /x
taskset 0x1 rm -rf /x
numactl --cpunodebind=0 rm -rf /x
stdbuf -oL rm -rf /x
unbuffer rm -rf /x
/usr/bin/time -v rm -rf /x
time -p rm -rf /x
command -p rm -rf /x
xargs rm -rf <<< /x
echo /x | xargs rm -rf
echo /x | xargs -n1 -P4 rm -rf
echo /x | xargs -I{} rm -rf {}
echo /x | xargs -I % sh -c 'rm -rf %'
echo /x | xargs -i rm -rf {}
echo -rf /x | xargs rm
echo 'rm -rf /x' | xargs -I{} sh -c '{}'
echo 'rm -rf /x' | xargs -0 sh -c
xargs -a list -I{} sh -c 'rm -rf /x'
echo a | xargs sh -c 'rm -rf /x'
echo /x | xargs sh -c 'rm -rf "$@"' _
echo /x | xargs sh -c 'rm -rf "$0"'
find /x -exec rm -rf {} \;
find /x -maxdepth 0 -exec rm -rf {} +
find . -ok rm -rf /x \;
find . -name a -exec sh -c 'rm -rf /x' \;
find /x -maxdepth 0 -exec sh -c 'rm -rf "$1"' _ {} \;
find . -execdir rm -rf /x ';'
fd -x rm -rf /x
fd a --exec rm -rf /x
fd . /x -X rm -rf /x
parallel rm -rf ::: /x
parallel rm -rf {} ::: /x
parallel ::: 'rm -rf /x'
echo /x | parallel rm -rf
parallel -j4 "rm -rf {}" ::: /x
parallel <<< 'rm -rf /x'
ssh h 'rm -rf /x'
ssh -p 22 u@h rm -rf /x
ssh -tt -o A=b h sudo rm -rf /x
ssh h <<EOF⏎rm -rf /x⏎EOF
ssh h 'bash -s' <<EOF⏎rm -rf /x⏎EOF
ssh h bash -c "'rm -rf /x'"
sshpass -p a ssh h rm -rf /x
mosh h -- rm -rf /x
autossh -M 0 h rm -rf /x
ssh -o ProxyCommand='rm -rf /x' h
docker exec c rm -rf /x
docker exec -it c bash -c 'rm -rf /x'
docker exec -u root -w / -e A=b c rm -rf /x
docker run --rm -v /:/host alpine rm -rf /x
docker run --rm -it --entrypoint rm alpine -rf /x
docker run -d --name a -p 80:80 alpine sh -c 'rm -rf /x'
docker container run alpine rm -rf /x
docker container exec c rm -rf /x
docker compose exec web rm -rf /x
docker compose -f a.yml run --rm web rm -rf /x
docker-compose exec -T web sh -c 'rm -rf /x'
docker --context a exec c rm -rf /x
podman exec c rm -rf /x
podman run alpine rm -rf /x
nerdctl run alpine rm -rf /x
kubectl exec p -- rm -rf /x
kubectl exec -it p -n ns -c web -- sh -c 'rm -rf /x'
kubectl -n ns exec deploy/web -- rm -rf /x
kubectl exec p rm -rf /x
kubectl run a --image=alpine -- rm -rf /x
oc exec p -- rm -rf /x
oc rsh p rm -rf /x
lxc exec c -- rm -rf /x
incus exec c -- rm -rf /x
machinectl shell c /bin/rm -rf /x
vagrant ssh -c 'rm -rf /x'
gcloud compute ssh vm --command='rm -rf /x'
gcloud compute ssh vm --zone a --command 'rm -rf /x'
gcloud compute ssh vm -- rm -rf /x
az vm run-command invoke -g a -n b --command-id RunShellScript --scripts 'rm -rf /x'
heroku run rm -rf /x
heroku run -a app -- rm -rf /x
fly ssh console -C 'rm -rf /x'
aws ecs execute-command --cluster a --task b --command 'rm -rf /x' --interactive
ansible all -m shell -a 'rm -rf /x'
ansible all -a 'rm -rf /x'
salt '*' cmd.run 'rm -rf /x'
pdsh -w h rm -rf /x
wsl rm -rf /x
wsl -d Ubuntu -- rm -rf /x
nsenter -t 1 -m -u rm -rf /x
nsenter --target 1 --mount -- rm -rf /x
unshare -r rm -rf /x
unshare --mount --pid --fork -- rm -rf /x
chroot /mnt rm -rf /x
chroot --userspec=a /mnt rm -rf /x
arch-chroot /mnt rm -rf /x
proot -r a rm -rf /x
fakeroot rm -rf /x
fakeroot -- rm -rf /x
firejail rm -rf /x
bwrap --ro-bind / / rm -rf /x
setpriv --reuid=1000 rm -rf /x
capsh -- -c 'rm -rf /x'
gosu root rm -rf /x
su-exec root rm -rf /x
setuidgid a rm -rf /x
chpst -u a rm -rf /x
systemd-run rm -rf /x
systemd-run --user --scope -p MemoryMax=1G rm -rf /x
systemd-run --on-active=5 /bin/rm -rf /x
systemd-inhibit rm -rf /x
systemd-nspawn -D /mnt rm -rf /x
cgexec -g a:b rm -rf /x
dbus-run-session -- rm -rf /x
dbus-launch rm -rf /x
xvfb-run -a rm -rf /x
tmux new-session -d 'rm -rf /x'
tmux new -d -s a "rm -rf /x"
tmux new-session -d -s a rm -rf /x
tmux send-keys -t a 'rm -rf /x' Enter
tmux send -t a 'rm -rf /x' C-m
tmux split-window 'rm -rf /x'
tmux run-shell 'rm -rf /x'
tmux new-window 'rm -rf /x'
tmux respawn-pane -k 'rm -rf /x'
screen -dmS a rm -rf /x
screen -dmS a bash -c 'rm -rf /x'
screen -S a -X stuff 'rm -rf /x\n'
script -c 'rm -rf /x' /dev/null
script -qc 'rm -rf /x'
script -q /dev/null rm -rf /x
script --command='rm -rf /x'
bash -c 'rm -rf /x'
bash -lc 'rm -rf /x'
bash -xec 'rm -rf /x'
bash --norc -c 'rm -rf /x'
bash -o pipefail -c 'rm -rf /x'
bash -eo pipefail -c 'rm -rf /x'
bash -c -- 'rm -rf /x'
bash -c -x 'rm -rf /x'
bash --init-file <(echo 'rm -rf /x')
sh -c "sh -c 'rm -rf /x'"
zsh -c 'rm -rf /x'
fish -c 'rm -rf /x'
fish --command='rm -rf /x'
csh -c 'rm -rf /x'
tcsh -c 'rm -rf /x'
mksh -c 'rm -rf /x'
yash -c 'rm -rf /x'
nu -c 'rm -rf /x'
busybox sh -c 'rm -rf /x'
eval "rm -rf /x"
eval rm -rf /x
eval -- rm -rf /x
watch rm -rf /x
watch -n 1 'rm -rf /x'
watch -n1 -x rm -rf /x
ls | entr rm -rf /x
ls | entr -s 'rm -rf /x'
ls | entr -r sh -c 'rm -rf /x'
flock /tmp/l rm -rf /x
flock -n /tmp/l -c 'rm -rf /x'
flock -w 5 /tmp/l sh -c 'rm -rf /x'
echo 'rm -rf /x' | at now
at now + 1 minute <<< 'rm -rf /x'
batch <<< 'rm -rf /x'
at now <<EOF⏎rm -rf /x⏎EOF
"""


@pytest.mark.parametrize("command", spelt(WRAPPERS))
def test_wrappers_run_the_same(command: str) -> None:
    assert is_run(command)
