"""The names of the programs that the readers of commands know: a call of one is not part of a secret.

The list is repeated here because those readers depend on secrets. A test checks that none is missing.
"""

from __future__ import annotations

NAMES = frozenset(
    """
Add-LocalGroupMember Add-MpPreference Clear-Disk Clear-EventLog Clear-History Disable-LocalUser Format-Volume
Initialize-Disk Invoke-RestMethod Invoke-WebRequest New-Service Register-ScheduledTask Remove-EventLog Remove-LocalGroup
Remove-LocalUser Remove-Partition Restart-Computer Set-ExecutionPolicy Set-LocalUser Set-MpPreference
Set-NetFirewallProfile Stop-Computer Stop-Service Suspend-Service aa-complain aa-disable aa-teardown addgroup adduser
adjtimex ag aider akamai akeyless alembic algolia aliyun amp amplify amtool ansible ansible-playbook ansible-vault
apache2ctl apachectl apictl apigeecli apk apparmor_parser apply-patch apply_patch applypatch apt apt-get aptitude argocd
aria2c artisan at atlas auditctl auth0 autossh awk aws awslocal az azcopy b2 badblocks bao barman base64 bat batch
bcdedit bcdedit.exe berglas bfg bin/console bin/pulsar-admin bk bless blkdiscard bootctl bore borg borgmatic bq
braintree brew bsd-mailx bsdtar btrfs buildah buildkite-agent bun bundle bunx bupstash busctl busybox bw calicoctl
caprover cargo cat ccloud cdk cdktf celery cf cfcli chage chalice chamber changeset chargebee chattr checkly chgrp
chisel chkconfig chmod choco chown chpasswd chromadb chronyc chroot cilium cinder circleci civo claude clerk clever
clickhouse-client cloudflared cnpm cockroach code code-insiders code-server codex colima column composer conda confluent
conjur console consul convex copilot cortextool cp cpio crictl crontab crush cryptcat cryptsetup csrutil ctr curator
curl curlie cursor-agent cut cypher-shell dart databricks datadog datadog-ci date dbus-send dd deck declare del-cli
delgroup deluser deno deno-deploy deployctl devtunnel dig diskutil ditto django-admin dmesg dmsetup dnf dnf5 dnscontrol
docker docker-compose docker.exe doctl dog dogshell dokku dokploy doppler dotenvx dotnet dpkg drill drizzle-kit droid
drone dropbox dropdb dropuser dscl dseditgroup duplicity duply eb ed efibootmgr egrep eksctl env envkey etcdctl ex exo
export expose fail2ban-client fakechroot fallocate fastly fdesetup fgrep find firebase flagsmith flarectl flask flatpak
flipt flit flutter flux fly fly-ci flyctl flyway fold format format.com frpc fsutil ftp fuser gawk gcloud gcp gcx gdrive
gem gemini getent gh gio git git-filter-branch git-filter-repo gitlab-ctl gitlab-rake gitlab-runner glab go goose gopass
gost gotty gpasswd gpatch gpg gpg2 gradle gradlew grafana-cli grep groupdel growthbook grub-install grub2-install grubby
gsed gsutil gtar halt haproxy hatch hcloud hdparm head helm helm3 helmfile heroku hetzner hexdump hg history honeycomb
host http httpd httpie https hub husky hwclock ibmcloud incus infisical influx influxd init initctl inlets insmod
install invoke-rc.d ip6tables ipmitool ipset iptables iptables-legacy iptables-nft iptables-restore irm istioctl iwr
java jenkins jenkins-cli jenkins-cli.jar jenkins-jobs jj jk journalctl jq jsr jupyter jupyter-lab jupyter-notebook k3d
k3s kaf kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh kafka-consumer-groups kafka-consumer-groups.sh
kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions kafka-reassign-partitions.sh kafka-storage
kafka-storage.sh kafka-streams-application-reset kafka-streams-application-reset.sh kafka-topics kafka-topics.sh kcat
kexec kextload kextunload keydb-cli keyring kill killall killall5 kind kiro-cli kldload kldunload kmodload kn knotc kong
kopia kops koyeb kubeadm kubecolor kubectl kubectl.exe kustomize kwallet-query lama lastlog launchctl ldapsearch ldc
ldcli lefthook lerna less lexicon lftp lilo linkerd linode-cli liquibase ln localtunnel localxpose loclx log logcli
loginctl loki lpass lt lvm lvreduce lvremove lxc lxd machinectl mail mailchimp mailgun mailx mamba manage-bde manage.py
mariadb mariadb-admin mawk mc mcli md5sum mdadm meilisearch memcached-tool microdnf microk8s microk8s.kubectl micromamba
milvus mimirtool minikube minio mix mkdir mke2fs mkfile mkfs mkfs.bfs mkfs.btrfs mkfs.cramfs mkfs.exfat mkfs.ext2
mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat mkfs.minix mkfs.msdos mkfs.ntfs mkfs.vfat mkfs.xfs mkswap modprobe mokutil mongo
mongodump mongorestore mongosh more mount msmtp multipass multipath mutt mv mvn mvnw mysql mysqladmin mysqldump
mysqlimport nala nats nc ncat ncftp ncftpput nebius neomutt neon neonctl nerdctl net net.exe netcat netlify netsh
netsh.exe newfs newrelic nft nginx ngrok nhost nl node nodejs nodetool nomad northflank nova now npm npx nsenter
nslookup nsupdate nuget nvim nvme nvram oc oci octodns-sync od okta op opencode openhands openssl openstack opsgenie
optimizely osascript overcommit ovhcloud ovsx packer pacman paddle parted pass passwd paste patch paypal pd pdm pdnsutil
perl pfctl pg_ctl pg_ctlcluster pg_dropcluster pg_dump pg_resetwal pg_restore pgbackrest phase php pinecone ping pinggy
pip pip2 pip3 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 pip3.8 pip3.9 pipenv pipx pkill pktriot planetscale platform
playit pmset pnpm pnpx pod podman podman-compose poetry porter postmark postqueue postsuper poweroff pre-commit printenv
prisma promtool proot proxmox-backup-client proxmox-backup-manager ps pscale psql pulsar-admin pulumi pvcreate pvremove
python python3 python3.10 python3.11 python3.12 python3.13 python3.14 qdrant qovery qwen rabbitmq-diagnostics
rabbitmq-queues rabbitmqadmin rabbitmqctl rails railway rake rancher rc-service rc-update rclone rdiff-backup reboot
redis-cli reg reg.exe render resend restic rev rg rimraf rm rmdir rmmod rndc rpk rpm rsync runuser rustic rye s-nail
s3cmd s3m s4cmd s5cmd sam sc sc.exe scalingo schtasks schtasks.exe scp scrub scw secret-tool security sed semanage
semodule sendgrid sendmail sentry-cli sequelize sequelize-cli serverless service set setcap setenforce setfacl sftp
sgdisk sha1sum sha256sum shellinaboxd shred shutdown shutdown.exe skaffold skill skopeo slay slogin sls snap snapper
snow socat socketfilterfw sops sort spctl split splitctl splunk sponge sqlcmd square srm ssh ssh-add ssh-copy-id
ssh-keygen sshpass sshx ssmtp sst statsig stratis stress stress-ng strings stripe su supabase supervisorctl surge sv svn
swaks swapoff swift sysadminctl sysctl systemctl systemd-run systemsetup tac tail tailscale tar tarsnap taskkill
taskkill.exe tccli tctl tdnf tea tee telebit teleport telinit telnet terraform terragrunt terramate tf tftp tilt
timedatectl timeshift tkn tmate tmole tmutil tofu touch trash trash-put travis truncate tsh ttyd tunnelmole turso twilio
twine tyk typeorm typesense typeset ufw umount uniq unleash unlink unrar unshare unzip upctl update-initramfs
update-rc.d upstash upsun upterm uptimerobot useradd userdel usermod utmpdump uv uvx vagrant valkey-cli vault velero
vercel vgreduce vgremove vi vigr vim vipw virsh visudo vsce vssadmin vssadmin.exe vultr-cli wal-e wal-g wasabi wbadmin
wbadmin.exe wc weaviate wetty wevtutil wevtutil.exe wget wget2 wipe wipefs wmic wmic.exe woodpecker-cli workos wrangler
xargs xfs_mkfile xh xhs xxd yarn yc yes yq yum zeabur zerotier-cli zfs zip zkCli.sh zkcli zookeeper-shell
zookeeper-shell.sh zpool zrok zypper
""".split()
)
