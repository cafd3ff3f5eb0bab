"""The names of the programs that the readers of commands know: a call of one is not part of a secret.

The list is repeated here because those readers depend on secrets. A test checks that none is missing.
"""

from __future__ import annotations

NAMES = frozenset(
    """
Browserpass Browserpass.exe Browserpass.ps1 Browserpass.py Browserpass.rb Browserpass.sh Chainbreaker Chainbreaker.exe
Chainbreaker.ps1 Chainbreaker.py Chainbreaker.rb Chainbreaker.sh Clear-EventLog Clear-History Creddump7 Creddump7.exe
Creddump7.ps1 Creddump7.py Creddump7.rb Creddump7.sh Donpapi Donpapi.exe Donpapi.ps1 Donpapi.py Donpapi.rb Donpapi.sh
Dploot Dploot.exe Dploot.ps1 Dploot.py Dploot.rb Dploot.sh Dumpert Dumpert.exe Dumpert.ps1 Dumpert.py Dumpert.rb
Dumpert.sh Fgdump Fgdump.exe Fgdump.ps1 Fgdump.py Fgdump.rb Fgdump.sh Firefox_decrypt Firefox_decrypt.exe
Firefox_decrypt.ps1 Firefox_decrypt.py Firefox_decrypt.rb Firefox_decrypt.sh Go-lsass Go-lsass.exe Go-lsass.ps1
Go-lsass.py Go-lsass.rb Go-lsass.sh Gsecdump Gsecdump.exe Gsecdump.ps1 Gsecdump.py Gsecdump.rb Gsecdump.sh
Hack-browser-data Hack-browser-data.exe Hack-browser-data.ps1 Hack-browser-data.py Hack-browser-data.rb
Hack-browser-data.sh Hackbrowserdata Hackbrowserdata.exe Hackbrowserdata.ps1 Hackbrowserdata.py Hackbrowserdata.rb
Hackbrowserdata.sh Handlekatz Handlekatz.exe Handlekatz.ps1 Handlekatz.py Handlekatz.rb Handlekatz.sh Hindsight_gui
Hindsight_gui.exe Hindsight_gui.ps1 Hindsight_gui.py Hindsight_gui.rb Hindsight_gui.sh Impacket-secretsdump
Impacket-secretsdump.exe Impacket-secretsdump.ps1 Impacket-secretsdump.py Impacket-secretsdump.rb
Impacket-secretsdump.sh Invoke-RestMethod Invoke-WebRequest Keychaindump Keychaindump.exe Keychaindump.ps1
Keychaindump.py Keychaindump.rb Keychaindump.sh Keychainstealer Keychainstealer.exe Keychainstealer.ps1
Keychainstealer.py Keychainstealer.rb Keychainstealer.sh LaZagne.py Lazagne Lazagne.exe Lazagne.ps1 Lazagne.py
Lazagne.rb Lazagne.sh Linikatz Linikatz.exe Linikatz.ps1 Linikatz.py Linikatz.rb Linikatz.sh Lsassy Lsassy.exe
Lsassy.ps1 Lsassy.py Lsassy.rb Lsassy.sh Mimikatz Mimikatz.exe Mimikatz.ps1 Mimikatz.py Mimikatz.rb Mimikatz.sh
Mimikittenz Mimikittenz.exe Mimikittenz.ps1 Mimikittenz.py Mimikittenz.rb Mimikittenz.sh Mimipenguin Mimipenguin.exe
Mimipenguin.ps1 Mimipenguin.py Mimipenguin.rb Mimipenguin.sh Nanodump Nanodump.exe Nanodump.ps1 Nanodump.py
Nanodump.rb Nanodump.sh New-Service Pwdump Pwdump.exe Pwdump.ps1 Pwdump.py Pwdump.rb Pwdump.sh Pwdump7 Pwdump7.exe
Pwdump7.ps1 Pwdump7.py Pwdump7.rb Pwdump7.sh Pypykatz Pypykatz.exe Pypykatz.ps1 Pypykatz.py Pypykatz.rb Pypykatz.sh
Register-ScheduledTask Remove-EventLog Restart-Computer Rubeus Rubeus.exe Rubeus.ps1 Rubeus.py Rubeus.rb Rubeus.sh
Safetykatz Safetykatz.exe Safetykatz.ps1 Safetykatz.py Safetykatz.rb Safetykatz.sh Samdump2 Samdump2.exe Samdump2.ps1
Samdump2.py Samdump2.rb Samdump2.sh Seatbelt Seatbelt.exe Seatbelt.ps1 Seatbelt.py Seatbelt.rb Seatbelt.sh Secretsdump
Secretsdump.exe Secretsdump.ps1 Secretsdump.py Secretsdump.rb Secretsdump.sh Sharpchrome Sharpchrome.exe
Sharpchrome.ps1 Sharpchrome.py Sharpchrome.rb Sharpchrome.sh Sharpdpapi Sharpdpapi.exe Sharpdpapi.ps1 Sharpdpapi.py
Sharpdpapi.rb Sharpdpapi.sh Sharpkatz Sharpkatz.exe Sharpkatz.ps1 Sharpkatz.py Sharpkatz.rb Sharpkatz.sh Sharpweb
Sharpweb.exe Sharpweb.ps1 Sharpweb.py Sharpweb.rb Sharpweb.sh Stop-Computer Swaparoo Swaparoo.exe Swaparoo.ps1
Swaparoo.py Swaparoo.rb Swaparoo.sh VBoxManage Wce Wce.exe Wce.ps1 Wce.py Wce.rb Wce.sh aa-complain aa-disable
aa-teardown acme.sh addgroup adduser adjtimex ag aider airflow akamai akeyless alembic algolia aliyun amp amplify
amtool ansible ansible-playbook ansible-vault apache2ctl apachectl apictl apigeecli apk apparmor_parser apply-patch
apply_patch applypatch apt apt-get aptitude argocd aria2c artisan at atlas auditctl auth0 autossh avml awk aws
awslocal az azcopy b2 badblocks bao barman base64 bash bat batch bb bcdedit bcdedit.exe bconsole berglas bfg
bin/console bin/pulsar-admin bk bless blkdiscard bootctl bore borg borgmatic bq braintree brew browserpass
browserpass.exe browserpass.ps1 browserpass.py browserpass.rb browserpass.sh bsd-mailx bsdtar btrfs buildah
buildkite-agent bun bundle bunx bupstash busctl busybox bw calicoctl caprover cargo cat cbbackupmgr ccloud cdk cdktf
celery ceph certbot cf cfcli chage chainbreaker chainbreaker.exe chainbreaker.ps1 chainbreaker.py chainbreaker.rb
chainbreaker.sh chalice chamber changeset chargebee chattr checkly chgrp chisel chkconfig chmod choco chown chpasswd
chromadb chronyc chroot cilium cinder circleci civo claude clerk clever clickhouse-backup clickhouse-client
cloudflared cnpm cockroach code code-insiders code-server codex colima column composer conda configure confluent
conjur console consul convex copilot cortextool couchbase-cli cp cpio creddump7 creddump7.exe creddump7.ps1
creddump7.py creddump7.rb creddump7.sh crictl crontab crush cryptcat cryptsetup csrutil ctr curator curl curlie
cursor-agent cut cypher-shell dart databricks datadog datadog-ci date dbmate dbt dbus-send dd deck declare del-cli
delgroup deluser deno deno-deploy deployctl detect-secrets devtunnel diesel dig diskutil ditto django-admin dmesg
dmsetup dnf dnf5 dnscontrol docker docker-compose docker.exe doctl dog dogshell dokku dokploy donpapi donpapi.exe
donpapi.ps1 donpapi.py donpapi.rb donpapi.sh doppler dotenvx dotnet dotnet-ef dpkg dploot dploot.exe dploot.ps1
dploot.py dploot.rb dploot.sh drbdadm drbdsetup drill drizzle-kit droid drone dropbox dropdb dropuser dscl dseditgroup
dumpert dumpert.exe dumpert.ps1 dumpert.py dumpert.rb dumpert.sh duplicity duply dvc eb ed efibootmgr egrep eksctl env
envkey erase etcdctl ex exo export expose fail2ban-client fakechroot fallocate fastlane fastly fd fdesetup fdfind
fgdump fgdump.exe fgdump.ps1 fgdump.py fgdump.rb fgdump.sh fgrep find firebase firefox_decrypt firefox_decrypt.exe
firefox_decrypt.ps1 firefox_decrypt.py firefox_decrypt.rb firefox_decrypt.sh firewall-cmd flagsmith flarectl flask
flatpak flipt flit flutter flux fly fly-ci flyctl flyway fold frpc fsutil ftp fuser gawk gcloud gcore gcp gcx gdrive
gem gemini getent gh gio git git-filter-branch git-filter-repo gitlab-backup gitlab-ctl gitlab-rake gitlab-runner
gitleaks glab gluster go go-lsass go-lsass.exe go-lsass.ps1 go-lsass.py go-lsass.rb go-lsass.sh goose gopass gost
gotty govc gpasswd gpatch gpg gpg2 gradle gradlew grafana-cli grep groupdel growthbook grub-install grub2-install
grubby gsecdump gsecdump.exe gsecdump.ps1 gsecdump.py gsecdump.rb gsecdump.sh gsed gsutil gtar ha-manager
hack-browser-data hack-browser-data.exe hack-browser-data.ps1 hack-browser-data.py hack-browser-data.rb
hack-browser-data.sh hackbrowserdata hackbrowserdata.exe hackbrowserdata.ps1 hackbrowserdata.py hackbrowserdata.rb
hackbrowserdata.sh hadoop halt handlekatz handlekatz.exe handlekatz.ps1 handlekatz.py handlekatz.rb handlekatz.sh
haproxy hasura hatch hcloud hdfs hdparm head helm helm3 helmfile heroku hetzner hexdump hg hindsight_gui
hindsight_gui.exe hindsight_gui.ps1 hindsight_gui.py hindsight_gui.rb hindsight_gui.sh history honeycomb host http
httpd httpie https hub husky hwclock ibmcloud ifconfig ifdown impacket-secretsdump impacket-secretsdump.exe
impacket-secretsdump.ps1 impacket-secretsdump.py impacket-secretsdump.rb impacket-secretsdump.sh impdp incus infisical
influx influxd init initctl inlets insmod install invoke-rc.d ip ip6tables ipmitool ipset iptables iptables-legacy
iptables-nft iptables-restore iptables-save irm istioctl iwr java jenkins jenkins-cli jenkins-cli.jar jenkins-jobs jj
jk journalctl jq jsr jupyter jupyter-lab jupyter-notebook k3d k3s k3s-agent-uninstall.sh k3s-killall.sh
k3s-uninstall.sh kaf kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh kafka-consumer-groups
kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions
kafka-reassign-partitions.sh kafka-storage kafka-storage.sh kafka-streams-application-reset
kafka-streams-application-reset.sh kafka-topics kafka-topics.sh kcat kexec kextload kextunload keychaindump
keychaindump.exe keychaindump.ps1 keychaindump.py keychaindump.rb keychaindump.sh keychainstealer keychainstealer.exe
keychainstealer.ps1 keychainstealer.py keychainstealer.rb keychainstealer.sh keydb-cli keyring kill killall killall5
kind kiro-cli kldload kldunload kmodload kn knex knotc kong kopia kops koyeb kubeadm kubecolor kubectl kubectl.exe
kustomize kwallet-query laZagne laZagne.exe laZagne.ps1 laZagne.py laZagne.rb laZagne.sh lama lastlog launchctl
lazagne lazagne.exe lazagne.ps1 lazagne.py lazagne.rb lazagne.sh ldapsearch ldc ldcli lefthook lego lerna less lexicon
lftp lilo linikatz linikatz.exe linikatz.ps1 linikatz.py linikatz.rb linikatz.sh linkerd linode-cli liquibase ln
localtunnel localxpose loclx log logcli loginctl loki losetup lpass lsassy lsassy.exe lsassy.ps1 lsassy.py lsassy.rb
lsassy.sh lt lvconvert lvm lvreduce lvremove lxc lxd machinectl mail mailchimp mailgun mailx mamba manage-bde
manage.py maprfs mariadb mariadb-admin mattermost mawk mc mcli md5sum mdadm meilisearch memcached-tool mempeek
microdnf microk8s microk8s.kubectl micromamba migrate mikro-orm milvus mimikatz mimikatz.exe mimikatz.ps1 mimikatz.py
mimikatz.rb mimikatz.sh mimikittenz mimikittenz.exe mimikittenz.ps1 mimikittenz.py mimikittenz.rb mimikittenz.sh
mimipenguin mimipenguin.exe mimipenguin.ps1 mimipenguin.py mimipenguin.rb mimipenguin.sh mimirtool minikube minio mix
mkdir mke2fs mkfile mkfs mkfs.bfs mkfs.btrfs mkfs.cramfs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat
mkfs.minix mkfs.msdos mkfs.ntfs mkfs.vfat mkfs.xfs mkswap mlflow modprobe mokutil mongo mongodump mongorestore mongosh
mono more mount msmtp multipass multipath mutt mv mvn mvnw mysql mysqladmin mysqldump mysqlimport n0s1 nala nanodump
nanodump.exe nanodump.ps1 nanodump.py nanodump.rb nanodump.sh nats nc ncat ncftp ncftpput nebius neo4j-admin neomutt
neon neonctl nerdctl net net.exe netcat netfilter-persistent netlify networksetup newfs newrelic nft nginx ngrok nhost
nl nmcli node nodejs nodetool nomad northflank noseyparker nova now npm npx nsenter nslookup nsupdate nuget nvim nvme
nvram oc occ oci octodns-sync od odoo-bin okta oncall op opencode openhands openssl openstack opsgenie opsgenie-cli
optimizely osascript overcommit ovhcloud ovsx p4 packer pacman paddle pagerduty-cli parted pass passwd paste patch
patronictl paypal pct pd pdcli pdm pdnsutil perl pfctl pg_basebackup pg_ctl pg_ctlcluster pg_dropcluster pg_dump
pg_resetwal pg_restore pgbackrest phase phinx php pinecone ping pinggy pip pip2 pip3 pip3.10 pip3.11 pip3.12 pip3.13
pip3.14 pip3.8 pip3.9 pipenv pipx pkill pktriot planetscale platform playit pmset pnpm pnpx pod podman podman-compose
poetry porter postmark postqueue postsuper poweroff pre-commit printenv prisma prlctl procdump procdump.exe procdump64
procdump64.exe promtool proot proxmox-backup-client proxmox-backup-manager ps pscale psql pulsar-admin pulumi pvcreate
pveceph pvecm pvesh pvesm pveum pvremove pwdump pwdump.exe pwdump.ps1 pwdump.py pwdump.rb pwdump.sh pwdump7
pwdump7.exe pwdump7.ps1 pwdump7.py pwdump7.rb pwdump7.sh pypykatz pypykatz.exe pypykatz.ps1 pypykatz.py pypykatz.rb
pypykatz.sh python python2 python3 python3.10 python3.11 python3.12 python3.13 python3.14 qdrant qm qovery qwen
rabbitmq-diagnostics rabbitmq-queues rabbitmqadmin rabbitmqctl rados radosgw-admin rails railway rake rancher rbd
rc-service rc-update rclone rdiff-backup reboot redis-cli render repmgr request resend restic rev rg rimraf ripsecrets
rke2-killall.sh rke2-uninstall.sh rm rmdir rmmod rndc route rpk rpm rq rsync rubeus rubeus.exe rubeus.ps1 rubeus.py
rubeus.rb rubeus.sh ruby runuser rustic rye s-nail s3cmd s3m s4cmd s5cmd safetykatz safetykatz.exe safetykatz.ps1
safetykatz.py safetykatz.rb safetykatz.sh sam samdump2 samdump2.exe samdump2.ps1 samdump2.py samdump2.rb samdump2.sh
sc sc.exe scalingo schtasks schtasks.exe scp scrub scw sea-orm-cli seatbelt seatbelt.exe seatbelt.ps1 seatbelt.py
seatbelt.rb seatbelt.sh secret-tool secretsdump secretsdump.exe secretsdump.ps1 secretsdump.py secretsdump.rb
secretsdump.sh security sed semanage semodule sendgrid sendmail sentry-cli sequelize sequelize-cli serverless service
set setcap setenforce setfacl sfdisk sftp sg_format sgdisk sh sha1sum sha256sum sharpchrome sharpchrome.exe
sharpchrome.ps1 sharpchrome.py sharpchrome.rb sharpchrome.sh sharpdpapi sharpdpapi.exe sharpdpapi.ps1 sharpdpapi.py
sharpdpapi.rb sharpdpapi.sh sharpkatz sharpkatz.exe sharpkatz.ps1 sharpkatz.py sharpkatz.rb sharpkatz.sh sharpweb
sharpweb.exe sharpweb.ps1 sharpweb.py sharpweb.rb sharpweb.sh shellinaboxd shred shutdown shutdown.exe skaffold skill
skopeo sky slay slogin sls snap snapper snapraid snow snowsql socat socketfilterfw sops sort spctl split splitctl
splunk sponge sqitch sqlcmd sqlx square srm ssh ssh-add ssh-copy-id ssh-keygen sshpass sshx ssmtp sst statsig steamcmd
stratis stress stress-ng strings stripe su supabase supervisorctl surge sv svn swaks swaparoo swaparoo.exe
swaparoo.ps1 swaparoo.py swaparoo.rb swaparoo.sh swapoff swift sysadminctl sysctl systemctl systemd-run systemsetup
tac tail tailscale tar tarsnap taskkill taskkill.exe tccli tctl tdnf tea tee telebit teleport telinit telnet terraform
terragrunt terramate tf tftp tilt timedatectl timeshift tkn tmate tmole tmutil tofu touch trash trash-put travis
trufflehog truncate tsh ttyd tunnelmole turso twilio twine tyk typeorm typesense typeset ufw umount uniq unleash
unlink unrar unshare unzip upctl update-initramfs update-rc.d upstash upsun upterm uptimerobot useradd userdel usermod
utmpdump uv uvx vagrant valkey-cli vault vboxmanage veeamconfig velero vercel vgreduce vgremove vi victorops vigr vim
vipw virsh visudo vmrun vsce vssadmin vssadmin.exe vultr-cli wal-e wal-g wasabi wbadmin wbadmin.exe wc wce wce.exe
wce.ps1 wce.py wce.rb wce.sh weaviate wetty wevtutil wevtutil.exe wget wget2 whispers wine winpmem wipe wipefs
woodpecker-cli workos wrangler write xargs xfs_mkfile xfs_repair xh xhs xxd yarn yc yes yii yq yum zeabur zerotier-cli
zfs zip zkCli.sh zkcli zookeeper-shell zookeeper-shell.sh zpool zrok zypper
""".split()
)
