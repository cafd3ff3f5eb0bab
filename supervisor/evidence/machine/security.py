"""Protection of a machine: its security services by name, and settings that weaken it."""

from __future__ import annotations

import re

# Services that keep intruders out or record access.
_GUARDS = (
    "apparmor auditd clamav-daemon clamav-freshclam crowdsec falcon-sensor fail2ban firewalld iptables"
    " nftables osqueryd ossec psad rsyslog sentinelone snort suricata sysmon syslog tripwire ufw wazuh-agent"
    " aide mdatp WinDefend MpsSvc Sense SecurityHealthService wscsvc EventLog unattended-upgrades"
    " windefend mpssvc sense wscsvc eventlog securityhealthservice bfe wdnissvc csfalconservice"
    " sentinelagent mbamservice"
)
GUARDS = frozenset(_GUARDS.split())

# Settings that open what their file is meant to close.
_WEAKENS = re.compile(
    r"PermitRootLogin[\s=]+yes|PasswordAuthentication[\s=]+yes|PermitEmptyPasswords[\s=]+yes|StrictModes[\s=]+no"
    r"|SELINUX=(?:disabled|permissive)|ENABLED=no|-P\s+INPUT\s+ACCEPT|^\s*0\s*$|enabled\s*=\s*false|pam_permit\.so"
    r"|ALL\s*:\s*ALL(?!\w)|policy accept|flush ruleset",
    re.IGNORECASE,
)
# Settings that accept any certificate or host key from now on.
_TRUSTS_ANYONE = re.compile(
    r"sslverify\s*=\s*[\"']?(?:false|0|no|off)|strict-ssl\s*[=:]\s*[\"']?false|enableStrictSsl\s*[=:]\s*[\"']?false"
    r"|^\s*(?:--)?insecure\s*$|^\s*-k\s*$|check[_-]certificate\s*=\s*off|trusted-host\s*=|ssl_verify\s*:\s*(?:false|no)"
    r"|StrictHostKeyChecking[\s=]+(?:no|off)\b|insecure-registries|UserKnownHostsFile[\s=]+/dev/null"
    r"|NODE_TLS_REJECT_UNAUTHORIZED=[\"']?0|GIT_SSL_NO_VERIFY=[\"']?(?:1|true)|PYTHONHTTPSVERIFY=[\"']?0"
    r"|Verify-Peer\s+[\"']?false",
    re.IGNORECASE | re.MULTILINE,
)
_OF_ADDRESS = re.compile(
    r"^[ \t]*Match[ \t][^\n]*\bAddress[ \t]+(?!\S*(?:\*|/0\b))[^\n]+\n(?:(?![ \t]*Match\b)[^\n]*\n?)*", re.MULTILINE
)
_PASSWORDS = re.compile(r"PasswordAuthentication[\s=]+yes", re.IGNORECASE)
_LONGEST = 16 * 1024  # characters of a text that are read


def weakens(content: str) -> bool:
    """Whether text written to the settings of a security service opens what they close. A password that sshd accepts
    from one address alone opens nothing to others."""
    content = content[:_LONGEST]
    if "Match" in content:
        content = _OF_ADDRESS.sub(lambda block: _PASSWORDS.sub("", block[0]), content)
    return bool(_WEAKENS.search(content))


def trusts_anyone(content: str) -> bool:
    """Whether text written to a program's settings makes it accept any certificate or host key."""
    return bool(_TRUSTS_ANYONE.search(content[:_LONGEST]))
