"""What programs do to the machine as a whole: its power, kernel, volumes, mounts, security controls and logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from supervisor.evidence.effects.command_lines import effect_of, is_contained, merged, quiet_without, shows_only, table
from supervisor.evidence.effects.effect import Act, Effect, Ground, Reading
from supervisor.evidence.shell import Command
from supervisor.evidence.shell.inner import values_of, word_set

_POWER = table(
    Act.SYSTEM,
    power="""
        shutdown|shutdown.exe !-c !-k !/a !-a !/?
        reboot|poweroff|halt !-w !--wtmp-only
        init|telinit 0|1|6|s|S
        systemctl reboot|poweroff|halt|kexec|suspend|hibernate|soft-reboot|rescue|emergency|exit !--user
        loginctl reboot|poweroff|halt|suspend|hibernate
        Stop-Computer|Restart-Computer
        kexec -e|--exec
        pmset sleepnow|restart
        ipmitool power|chassis off|cycle|reset|soft
        busctl|dbus-send org.freedesktop.login1* *Reboot|*PowerOff
    """,
)
_KERNEL = table(
    Act.SYSTEM,
    module="""
        insmod|rmmod|kmodload|kldload|kldunload|kextload|kextunload
        modprobe !-n !--show-depends !-l !-c !--showconfig !-D
    """,
)
_CONTROLS = table(
    Act.SYSTEM,
    control="""
        setenforce 0|Permissive|permissive
        ufw disable|reset
        ufw default allow !outgoing !out
        firewall-cmd --panic-on|--set-default-zone=trusted
        iptables-save|netfilter-persistent flush
        iptables|ip6tables|iptables-legacy|iptables-nft -F|--flush|-X|--delete-chain
        iptables|ip6tables|iptables-legacy|iptables-nft -P|--policy INPUT|FORWARD ACCEPT
        nft flush|delete ruleset|table
        ipset destroy|flush
        pfctl -d|-F
        aa-teardown|aa-disable|aa-complain
        apparmor_parser -R|--remove
        auditctl -D
        auditctl -e 0
        csrutil disable
        csrutil authenticated-root disable
        spctl --master-disable|--global-disable|--disable
        fdesetup disable
        socketfilterfw --setglobalstate off
        mokutil --disable-validation
        fail2ban-client stop|unban --all
        semodule -d|-r
        semanage permissive -a
        manage-bde -off
        apt|apt-get|dnf|yum|zypper remove|purge|autoremove|erase apparmor|auditd|ufw|firewalld|fail2ban|clamav
        iptables-restore /dev/null
    """,
    certificates="""
        git config http.sslVerify|http.sslverify|https.sslVerify --global|--system false|0|no|off
        npm|pnpm config|set|c strict-ssl|strict-ssl=false false|strict-ssl=false
        yarn config strict-ssl|enableStrictSsl false
        pip|pip3 config set global.trusted-host|install.trusted-host
        conda|mamba config ssl_verify false|False|no
        composer config disable-tls|secure-http true|false -g|--global
        bundle config ssl_verify_mode|BUNDLE_SSL_VERIFY_MODE 0
        go env -w GOINSECURE=*|GOFLAGS=-insecure*|GONOSUMCHECK=*|GOSUMDB=off|GONOSUMDB=*
        poetry config certificates.* false
        kubectl config --insecure-skip-tls-verify=true
        aws configure set verify_ssl false
        az config set core.disable_connection_verification=*
        gcloud config set auth/disable_ssl_validation true|True
    """,
)
_LOGS = table(
    Act.HISTORY,
    clear=r"""
        history -c
        wevtutil|wevtutil.exe cl|clear-log
        Clear-EventLog|Clear-History|Remove-EventLog
        dmesg -C|--clear|-c|--read-clear
        lastlog --clear|-C
        log erase
        journalctl --vacuum-time=1s|--vacuum-time=5s|--vacuum-time=10s|--vacuum-time=0*
        journalctl --vacuum-size=0*|--vacuum-files=0|--vacuum-files=1
        journalctl --vacuum-time=1|--vacuum-time=1m|--vacuum-time=1min|--vacuum-size=1|--vacuum-size=1K|--vacuum-size=1M
        utmpdump -r
        fsutil usn deletejournal
    """,
    stop="""
        set +o history
        auditctl -e 0
        wevtutil|wevtutil.exe sl /e:false
    """,
)
_VOLUMES = table(
    Act.SYSTEM,
    volume="""
        zpool destroy|labelclear
        zfs destroy !-n
        lvremove|vgremove|pvremove
        lvm lvremove|vgremove|pvremove
        lvreduce -f|--force|-y
        vgreduce --removemissing
        mdadm --zero-superblock
        dmsetup remove_all|wipe_table
        sfdisk --delete
        sgdisk -d*|--delete* !-R=* !--replicate=*
        losetup -D|--detach-all
        lvconvert --merge
        btrfs subvolume|device delete|remove
        stratis pool|filesystem destroy
        multipath -F
        diskutil eraseDisk|deleteContainer|deleteVolume|eraseAll
    """,
    snapshots="""
        tmutil delete|deletelocalsnapshots|disable
    """,
)
_BOOT = table(
    Act.SYSTEM,
    boot="""
        efibootmgr -B|--delete-bootnum|-o|--bootorder|-b
        grub-install|grub2-install|lilo
        update-initramfs -d
        grubby --remove-kernel*|--set-default*|--update-kernel*
        bcdedit|bcdedit.exe /delete|/deletevalue|/default !safeboot !safebootalternateshell
        nvram -c|-d
        systemctl set-default
        bootctl remove|set-default
        bless --folder|--mount
    """,
)
# Paths that a machine cannot run without: unmounting or covering them makes it unusable.
_STANDING = word_set("/ /boot /boot/efi /dev /etc /home /proc /root /run /sys /usr /var /var/lib /var/log /tmp")


def _parameters(command: Command, _: Ground) -> Iterator[Effect]:
    """`sysctl -w name=value`; the name is the target, the value the content."""
    if is_contained(command) or shows_only(command):
        return
    for word in command.operands(frozenset({"-f", "-B", "-M"})):
        name, equals, value = word.replace(" ", "").partition("=")
        if equals:
            effect = effect_of(Act.SYSTEM, "parameter", name.replace("/", "."), command)
            effect.content = value
            yield effect


def _unmounted(command: Command, _: Ground) -> Iterator[Effect]:
    if is_contained(command):
        return
    if command.has_flag("-a", "--all", "-A", "--all-targets"):
        yield effect_of(Act.SYSTEM, "unmount", "every file system", command, whole=True)
    for word in command.operands(frozenset({"-t", "-O", "-N", "--types"})):
        if command.path(word) in _STANDING:
            yield effect_of(Act.SYSTEM, "unmount", command.path(word), command)


def _mounted(command: Command, _: Ground) -> Iterator[Effect]:
    """A mount over a directory that the machine needs, or a remount that makes a file system writable or read-only."""
    if is_contained(command) or shows_only(command):
        return
    operands = [
        command.path(word) for word in command.operands(frozenset({"-t", "-o", "-O", "-L", "-U", "-N", "--types"}))
    ]
    if operands and operands[-1] in _STANDING and "chroot" not in command.wrappers:
        options = " ".join(command.args)
        if len(operands) > 1 or "remount" in options:
            yield effect_of(Act.SYSTEM, "mount", operands[-1], command)


def _hosts_forgotten(command: Command, _: Ground) -> Iterator[Effect]:
    """`ssh-keygen -R host`: known_hosts no longer contains the host's key. This machine's own names are harmless."""
    for host in values_of(command.args, "-R"):
        if not is_contained(command) and not host.strip("[").startswith(("localhost", "127.", "::1")):
            yield effect_of(Act.SYSTEM, "forget-host", host, command)


def _swapped_off(command: Command, _: Ground) -> Iterator[Effect]:
    if not is_contained(command) and not shows_only(command) and (command.args):
        yield effect_of(
            Act.SYSTEM, "swap", "all swap" if command.has_flag("-a", "--all") else command.args[-1], command
        )


def _reading(read: Callable[[Command, Ground], Iterable[Effect]], *marks: str) -> Reading:
    """A reading that is quiet unless one of `marks` is an argument; never quiet without `marks`."""
    return (
        Reading(frozenset({Act.SYSTEM}), read, quiet_without(*marks))
        if marks
        else Reading(frozenset({Act.SYSTEM}), read)
    )


PROGRAMS = merged(
    _POWER,
    _KERNEL,
    _CONTROLS,
    _LOGS,
    _VOLUMES,
    _BOOT,
    {"sysctl": _reading(_parameters), "umount": _reading(_unmounted), "mount": _reading(_mounted)},
    {"swapoff": _reading(_swapped_off), "ssh-keygen": _reading(_hosts_forgotten, "-R")},
)
