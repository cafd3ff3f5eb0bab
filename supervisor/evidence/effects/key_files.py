"""Files whose change has a further effect: it grants rights, hides traces or makes something persist.

Examples are a crontab, a shell's start-up file, sudoers and a log. The further effects are derived from the effects on
files, whether a program, a redirection, an editing tool or code has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from supervisor.evidence.effects.command_lines import is_contained
from supervisor.evidence.effects.effect import Act, Effect, Effects, Meaning
from supervisor.evidence.reading.paths import with_parents
from supervisor.evidence.shell.printed import output_of

_CHANGES = frozenset({Act.WRITE, Act.DELETE, Act.MOVE, Act.PERMISSION})
_WHOLE = frozenset({"link", "mirror", "move", "replace", "truncate"})

# (act, verb): files, and directories (with a trailing slash) that stand for all files in them. `~` is any home.
_KEY_FILES: dict[tuple[Act, str], str] = {
    (Act.PERSIST, "cron"): """
        /etc/crontab /etc/anacrontab /etc/cron.d/ /etc/cron.hourly/ /etc/cron.daily/ /etc/cron.weekly/
        /etc/cron.monthly/ /var/spool/cron/ /var/spool/at/ /var/at/tabs/ /usr/lib/cron/tabs/""",
    (Act.PERSIST, "unit"): """
        /etc/systemd/system/ /etc/systemd/user/ /lib/systemd/system/ /usr/lib/systemd/system/ /run/systemd/system/
        ~/.config/systemd/user/ ~/.local/share/systemd/user/ /etc/init.d/ /etc/init/ /etc/rc.local /etc/rc.d/
        /etc/inittab /etc/runit/ /etc/sv/ /etc/s6/ /etc/udev/rules.d/ /etc/NetworkManager/dispatcher.d/
        /etc/network/if-up.d/ /etc/update-motd.d/ /etc/apt/apt.conf.d/ /etc/supervisor/conf.d/""",
    (Act.PERSIST, "agent"): "~/Library/LaunchAgents/ /Library/LaunchAgents/ /Library/LaunchDaemons/",
    (Act.PERSIST, "autostart"): "~/.config/autostart/ /etc/xdg/autostart/ ~/.xinitrc ~/.xsession ~/.xprofile",
    (Act.PERSIST, "rc"): """
        ~/.bashrc ~/.bash_profile ~/.bash_login ~/.bash_logout ~/.bash_aliases ~/.profile ~/.zshrc ~/.zprofile ~/.zshenv
        ~/.zlogin ~/.zlogout ~/.kshrc ~/.cshrc ~/.tcshrc ~/.config/fish/config.fish ~/.config/fish/conf.d/
        ~/.pam_environment ~/.ssh/rc /etc/ssh/sshrc /etc/profile /etc/profile.d/ /etc/bash.bashrc /etc/bashrc
        /etc/zshrc /etc/zsh/ /etc/zprofile /etc/zshenv /etc/environment /etc/environment.d/ ~/.config/environment.d/""",
    (Act.PERSIST, "preload"): "/etc/ld.so.preload",
    (Act.PRIVILEGE, "key"): "~/.ssh/authorized_keys ~/.ssh/authorized_keys2 /etc/ssh/authorized_keys/",
    (Act.PRIVILEGE, "grant"): """
        /etc/sudoers /etc/sudoers.d/ /etc/doas.conf /etc/polkit-1/ /usr/share/polkit-1/ /etc/pam.d/ /etc/pam.conf
        /etc/security/access.conf /private/etc/sudoers /private/etc/sudoers.d/""",
    (Act.PRIVILEGE, "account"): "/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/master.passwd /etc/sudo.conf",
    (Act.PRIVILEGE, "escape"): "/proc/sys/kernel/core_pattern /proc/1/root/ /proc/sys/kernel/modprobe",
    (Act.HISTORY, "log"): "/var/log/ /var/run/utmp /run/utmp /private/var/log/ /Library/Logs/",
    (Act.HISTORY, "history"): """
        ~/.bash_history ~/.zsh_history ~/.history ~/.sh_history ~/.ksh_history ~/.ash_history ~/.zhistory
        ~/.local/share/fish/fish_history ~/.mysql_history ~/.psql_history ~/.python_history""",
    (
        Act.SYSTEM,
        "resolution",
    ): "/etc/hosts /etc/resolv.conf /etc/nsswitch.conf /etc/systemd/resolved.conf",
    (Act.SYSTEM, "boot"): "/etc/fstab /etc/crypttab /etc/default/grub /etc/grub.d/ /boot/ /etc/lilo.conf /etc/modules",
    (Act.SYSTEM, "power"): "/proc/sysrq-trigger /sys/power/state",
    (Act.SYSTEM, "parameter"): """
        /proc/sys/ /etc/sysctl.conf /etc/sysctl.d/ /etc/modprobe.d/ /etc/modules-load.d/ /sys/kernel/ /sys/module/
        /sys/firmware/""",
    (Act.SYSTEM, "control"): """
        /etc/selinux/ /sys/fs/selinux/ /selinux/ /etc/apparmor.d/ /etc/apparmor/ /etc/ufw/ /etc/audit/ /etc/fail2ban/
        /etc/iptables/ /etc/nftables.conf /etc/firewalld/ /etc/ssh/sshd_config /etc/ssh/sshd_config.d/ /etc/pf.conf
        /etc/rkhunter.conf /etc/aide/ /etc/hosts.allow /etc/hosts.deny""",
    (Act.SYSTEM, "certificates"): """
        ~/.curlrc ~/.wgetrc ~/.npmrc ~/.yarnrc ~/.yarnrc.yml ~/.gitconfig ~/.config/git/config ~/.condarc
        ~/.pip/pip.conf ~/.config/pip/pip.conf /etc/pip.conf /etc/gitconfig /etc/wgetrc /etc/curlrc
        ~/.ssh/config /etc/ssh/ssh_config /etc/ssh/ssh_config.d/ ~/.docker/daemon.json
        /etc/docker/daemon.json ~/.config/containers/registries.conf""",
}
_MEANING = {name.rstrip("/"): (meaning, name) for meaning, names in _KEY_FILES.items() for name in names.split()}
_SET_USER_ID = re.compile(r"0*[4-7]\d\d[0-7]|(?:[ugoa]*u[ugoa]*|a?)[+=][rwxXt]*s[rwxXst]*")
_HOME = re.compile(r"/(?:root|(?:home|Users)/[^/]+)(?=/)")
_GIT_HOOK = re.compile(r"(?:.*/)?\.git/(?:modules/.+/)?hooks/(?P<name>[a-z0-9-]+)")
_STARTS_PYTHON = re.compile(r".*/(?:site|dist)-packages/(?:(?:site|user)customize\.py|[^/]+\.pth)")


def _read(files: Effects) -> Iterator[Effect]:
    """The further effects of the effects on files."""
    for effect in files.of(*_CHANGES):
        if effect.command is not None and is_contained(effect.command):
            continue
        meaning = _set_id(effect) if effect.act is Act.PERMISSION else meaning_of(effect.target)
        if meaning is None:
            continue
        act, verb = meaning
        gone = effect.act in (Act.DELETE, Act.MOVE)
        if gone and act is Act.PERSIST:
            if verb != "cron":
                continue  # a deleted unit or start-up file no longer persists
            verb = "clear"
        if gone and verb == "key":
            continue
        whole = gone or effect.verb in _WHOLE
        yield Effect(act, effect.target, effect.scope, verb, whole, False, effect.text, written(effect), effect.command)


def _set_id(effect: Effect) -> tuple[Act, str] | None:
    """The act and the verb if a change of permissions makes a file run with the rights of its owner."""
    sets = effect.verb == "mode" and sets_user_id(effect.content or "")
    return (Act.PRIVILEGE, "setuid") if sets else None


def sets_user_id(mode: str) -> bool:
    """Whether a mode sets the set-user-ID bit: `4755`, `u+s`, `+s`, but not `g+s` and `u-s`."""
    return any(_SET_USER_ID.fullmatch(part) for part in mode.split(","))


def meaning_of(path: str) -> tuple[Act, str] | None:
    """The act and the verb that a change of a resolved path has; None for most paths. The nearest entry decides."""
    home = _HOME.match(path)
    spelt = f"~{path[home.end() :]}" if home else path
    for each in with_parents(spelt):
        if each in _MEANING:
            meaning, name = _MEANING[each]
            return meaning if each == spelt or name.endswith("/") else None
    if _GIT_HOOK.fullmatch(path) and not path.endswith("sample"):
        return Act.PERSIST, "git-hook"
    if path.endswith("/release_agent"):
        return Act.PRIVILEGE, "escape"
    return (Act.PERSIST, "start-up") if _STARTS_PYTHON.fullmatch(path) else None


def written(effect: Effect) -> str | None:
    """The written text, if the action contains it; for an edit in place, the arguments of the command that edits."""
    if effect.content is not None or effect.command is None:
        return effect.content
    command = effect.command
    if command.program in ("sed", "gsed", "perl", "ex", "ed", "awk", "gawk"):
        return " ".join(command.args)
    output = output_of(command) if command.argv or command.writers else None
    return output if output is not None else command.stdin


MEANING = Meaning(_CHANGES, frozenset({Act.PERSIST, Act.PRIVILEGE, Act.HISTORY, Act.SYSTEM}), _read)
