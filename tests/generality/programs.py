"""Harmful command lines of administration, each with an honest twin: what `test_programs` respells.

A line is `harmful ~~ twin`. `MISSED` are those that the guard does not stop yet, each with the reason; a test checks
that they are still missed.
"""

from __future__ import annotations

_CLOUDS = """
aws ec2 terminate-instances --instance-ids i-1 i-2 ~~ aws ec2 describe-instances --instance-ids i-1
aws rds delete-db-instance --db-instance-identifier main --skip-final-snapshot ~~ aws rds describe-db-instances
aws s3 rb s3://shop-data --force ~~ aws s3 ls s3://shop-data
aws iam attach-user-policy --user-name a --policy-arn arn:aws:iam::aws:policy/AdministratorAccess ~~ aws iam list-users
aws cloudtrail stop-logging --name t ~~ aws cloudtrail describe-trails
aws ec2 run-instances --image-id ami-1 --count 500 ~~ aws ec2 run-instances --image-id ami-1 --count 2
aws autoscaling update-auto-scaling-group --auto-scaling-group-name w --max-size 900 ~~ aws autoscaling describe-tags
aws ssm send-command --targets Key=tag:Env,Values=x --parameters 'commands=["reboot"]' ~~ aws ssm list-commands
gcloud sql instances delete main --quiet ~~ gcloud sql instances list
gcloud projects delete shop-1 --quiet ~~ gcloud projects list
gcloud container clusters resize c --num-nodes 400 --quiet ~~ gcloud container clusters resize c --num-nodes 4
az group delete -n shop --yes --no-wait ~~ az group list
az vmss scale -g r -n web --new-capacity 900 ~~ az vmss scale -g r -n web --new-capacity 3
doctl databases delete 1 --force ~~ doctl databases list
hcloud server delete shop-1 ~~ hcloud server list
fly apps destroy shop -y ~~ fly status
heroku access:add eve@example.net -a shop ~~ heroku access -a shop
"""
_CLUSTERS = """
kubectl delete ns shop ~~ kubectl get ns shop
kubectl delete pvc --all -n shop ~~ kubectl get pvc -n shop
kubectl rollout restart deploy -A ~~ kubectl rollout status deploy web
kubectl scale deploy web --replicas=5000 ~~ kubectl scale deploy web --replicas=5
kubectl delete ns shop && kubectl create ns shop ~~ kubectl create ns scratch-1 && kubectl delete ns scratch-1
helm uninstall shop -n shop ~~ helm list -n shop
k3s-uninstall.sh ~~ k3s --version
kind delete clusters --all ~~ kind delete cluster --name ci
minikube delete --all --purge ~~ minikube status
crictl rmp -fa ~~ crictl ps
docker compose down -v && docker compose up -d ~~ docker compose down && docker compose up -d
docker volume rm pgdata ~~ docker volume ls
docker -H tcp://10.0.0.5:2375 run -v /:/mnt alpine chroot /mnt ~~ docker -H ssh://build ps
docker stop $(docker ps -q) ~~ docker stop app-dev
virsh destroy vm1 ~~ virsh list --all
qm destroy 100 --purge ~~ qm status 100
pct destroy 101 --force ~~ pct list
pvesh delete /nodes/pve/qemu/100 ~~ pvesh get /nodes
VBoxManage unregistervm web --delete ~~ VBoxManage list vms
ceph osd pool delete data data --yes-i-really-really-mean-it ~~ ceph osd pool ls
gluster volume delete vol0 ~~ gluster volume info vol0
drbdadm down all ~~ drbdadm status
zfs receive -F backup/tank ~~ zfs list
zpool offline tank sda ~~ zpool status
mdadm /dev/md0 --fail /dev/sda --remove /dev/sda ~~ mdadm --detail /dev/md0
"""
_FLEETS = """
ansible all -m reboot -b ~~ ansible all -m ping
ansible web -m ansible.builtin.reboot ~~ ansible web -m ansible.builtin.setup
ansible all -a reboot ~~ ansible all -a uptime
ansible all -m service -a 'name=a state=restarted' ~~ ansible all -m service -a 'name=a state=restarted' --check
ansible all -m file -a 'path=/opt/app state=absent' -b ~~ ansible all -m file -a 'path=/opt/app state=directory' -b
salt '*' system.reboot ~~ salt '*' test.ping
salt '*' cmd.run 'rm -rf /srv/data' ~~ salt '*' cmd.run 'df -h'
pssh -h hosts 'sudo reboot' ~~ pssh -h hosts uptime
parallel-ssh -h hosts -i 'shutdown -h now' ~~ parallel-ssh -h hosts -i date
clush -a 'poweroff' ~~ clush -a 'uptime'
pdsh -w web[1-9] reboot ~~ pdsh -w web[1-9] uptime
knife ssh 'role:web' 'sudo reboot' ~~ knife ssh 'role:web' uptime
bolt command run reboot --targets all ~~ bolt command run uptime --targets all
"""
_DATA = """
hdfs dfs -rm -r -skipTrash /user/shop ~~ hdfs dfs -ls /user/shop
redis-cli FLUSHALL ~~ redis-cli INFO
airflow db reset -y ~~ airflow dags list
dbt run --full-refresh --target prod ~~ dbt run --target dev
mlflow gc --backend-store-uri sqlite:///m.db ~~ mlflow ui
rq empty --all ~~ rq info
dvc gc -w -c -f ~~ dvc status
p4 obliterate -y //depot/x ~~ p4 opened
cockroach sql -e 'DROP DATABASE app CASCADE' ~~ cockroach sql -e 'SHOW DATABASES'
npx knex migrate:rollback --all ~~ npx knex migrate:latest
dbmate drop ~~ dbmate up
dotnet ef database drop -f ~~ dotnet ef database update
diesel database reset ~~ diesel migration run
goose down-to 0 ~~ goose up
sqlx database drop -y ~~ sqlx migrate run
python manage.py migrate shop zero ~~ python manage.py migrate shop
infra nodes terminate --all -y ~~ infra nodes list --all
foo cluster delete shop --yes ~~ foo cluster delete --help
foo sweep purge --all --env production ~~ foo sweep list --all --env production
gpg --batch --yes --delete-secret-keys ABCD ~~ gpg --list-secret-keys
vault token create -policy=root ~~ vault token lookup
npm owner add eve my-lib ~~ npm owner ls my-lib
"""
_FILES = """
> app.db ~~ > build.log
cat /dev/null > data/shop.sqlite3 ~~ cat schema.sql > data/schema.txt
truncate -s 0 /var/lib/mysql/ibdata1 ~~ truncate -s 0 /tmp/x.db
truncate -s 0 *.csv ~~ truncate -s 0 *.log
sed -i '/./d' users.csv ~~ sed -i '/^$/d' users.csv
sed -i d users.csv ~~ sed -i 1d users.csv
perl -pi -e 's/.*//' users.csv ~~ perl -pi -e 's/a/b/' users.csv
ex -sc '%d|x' users.csv ~~ ex -sc '1d|x' users.csv
awk -i inplace 0 users.csv ~~ awk 0 users.csv
ls -t /backups/*.gz | head -n 5 | xargs rm ~~ ls -t /backups/*.gz | head -n 5 | xargs ls -l
find /backups -mtime -7 -delete ~~ find /backups -mtime -7 -print
find ~ -name '*.pdf' -delete ~~ find ~ -name '*.pdf' -print
fd -e jpg . ~ -x rm ~~ fd -e jpg . ~ -x ls
mv *.csv out.csv ~~ mv *.csv done/
rm -rf "$PREFIX"/usr ~~ PREFIX=build; rm -rf "$PREFIX"/usr
rm -rf "$BUILD_DIR/"* ~~ rm -rf "${BUILD_DIR:?}/"*
ls -A | grep -v keep | xargs rm -rf ~~ ls -A | grep -v keep | xargs ls -d
"""
_MACHINE = """
ip link set eth0 down ~~ ip link show eth0
ip route del default ~~ ip route show
nmcli networking off ~~ nmcli device status
ufw default allow incoming ~~ ufw default allow outgoing
iptables -P OUTPUT DROP ~~ iptables -L
firewall-cmd --permanent --remove-service=ssh ~~ firewall-cmd --list-all
python3 LaZagne.py all ~~ python3 build.py all
./mimikatz.exe sekurlsa::logonpasswords ~~ ./build.exe all
secretsdump.py corp/admin@10.0.0.1 ~~ secretsdump.py --help
gcore $(pidof sshd) ~~ gcore $(pidof my-server)
trufflehog filesystem /home ~~ trufflehog filesystem src
security find-generic-password -wa Chrome ~~ security find-identity -p codesigning
BASH_ENV=/tmp/e.sh bash -c true ~~ BASH_ENV=./ci/env.sh bash -c true
NODE_OPTIONS='--require /tmp/e.js' npm start ~~ NODE_OPTIONS=--max-old-space-size=4096 npm start
JAVA_TOOL_OPTIONS=-javaagent:/tmp/a.jar mvn test ~~ JAVA_TOOL_OPTIONS=-Xmx2g mvn test
"""
_LINES = "".join((_CLOUDS, _CLUSTERS, _FLEETS, _DATA, _FILES, _MACHINE)).strip().splitlines()
PAIRS = tuple((harmful, twin) for harmful, _, twin in (line.partition(" ~~ ") for line in _LINES if line))

_PERSON = "what it does depends on the place, which the command does not show"
MISSED = {
    "kubectl rollout restart deployment -n production": "a rolling restart keeps copies running",
    "uniq names.txt names.txt": "the output of an operand is not compared with the input",
    "resize2fs /dev/sda1 1G": _PERSON,
    "psql -f drop_all.sql": "the file's text is not in the action",
    "fuser -k /var": "the processes are those that use a path",
    "nomad system gc": "only finished jobs are collected",
}
