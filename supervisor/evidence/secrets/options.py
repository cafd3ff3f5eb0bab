"""Options of programs that take a secret: one table, and one reader of the words after a program's name.

A word of the table is an option. Its value is the next word, or follows `=`. A `*` after the option means that the
value is in the same word (`-pSECRET`), `?` that both occur. A further `%`, `:`, `,` or `/` means that the secret
follows that sign in the value (`-u bob:SECRET`); `.` that the value is read as a text of its own
(`-H 'X-Api-Key: SECRET'`, `--from-literal password=SECRET`). `verb!` before an option means that the command contains
that word, and `@` that no option names the secret. Source: the programs' manuals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_TABLE = """
mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlsh mariadb mariadb-dump mariadb-admin: -p* --password
mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat: -p? --password --sslPEMKeyPassword
psql pg_dump pg_restore pg_basebackup createdb: --password
sqlcmd bcp osql isql tsql: -P? --password
sqlplus: @user/
cqlsh clickhouse-client cypher-shell influx arangosh couchbase-cli: -p? --password --token
redis-cli valkey-cli keydb-cli: -a? --pass --sentinel
curl: -u?: --user: -U?: --proxy-user: --oauth2-bearer --pass --proxy-pass --tlspassword --proxy-tlspassword -b?.
curl: --cookie.
wget wget2: --password --http-password --ftp-password --proxy-password --user-password
http https xh xhs curlie: -a?: --auth:
aria2c: --http-passwd --ftp-passwd --rpc-secret --all-proxy-passwd
docker podman helm nerdctl buildah skopeo crane oras: login!-p? --password --creds: --src-creds: --dest-creds: --token
sshpass: -p?
ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare: -w? -s? -a?
smbclient smbget rpcclient smbmap net nmblookup wmiexec.py psexec.py crackmapexec nxc: -U?% --user% --password -p? -A?
mount mount.cifs: -o?.
7z 7za 7zr 7zz rar unrar: -p* -hp*
zip unzip zipcloak: -P? --password
gpg gpg2 gpgsm: --passphrase
openssl: -k -K -pass -passin -passout -passwd -iv -password -passcerts -key -psk -srppass
ssh-keygen: -N? -P?
keytool jarsigner: -storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new
htpasswd: @last
az: --account-key --sas-token login!-p? --password --client-secret --admin-password --value --connection-string --secret
aws: --secret-access-key --session-token --password --secret-string --master-user-password --auth-token --secret-key
gcloud: --password --root-password --access-token --key
gh: secret!-b? secret!--body --token
glab: -t? --token -v? --value
heroku flyctl fly vercel netlify railway: -t? --token
vault: --token -token
consul nomad boundary waypoint: -token --token -password
kubectl k3s: --token --password -p?. --docker-password
oc: --token --password login!-p? --docker-password
terraform tofu pulumi: --secret
ansible ansible-playbook: --become-pass
restic rclone duplicity borg: --password --pass --obscure --ftp-pass --sftp-pass --drive-token --crypt-password
lftp ncftp: -u?, -p? --password
ftp tftp: -p?
svn: --password
xfreerdp rdesktop wlfreerdp vncviewer: /p:* -p? /pass:*
runas schtasks: /p /rp
net net.exe: @user_last /user:*
cmdkey cmdkey.exe: /pass:*
psexec psexec.exe winexe evil-winrm wmic: -p? /password:* -U?%
impala-shell beeline hive: -p? -w? --password
rabbitmqctl: @last_of:add_user,change_password,authenticate_user
rabbitmqadmin: -p? --password
snowsql snow: --password --token --private-key-passphrase
databricks: --token
stripe: --api-key
twine poetry: -p? --password
nuget dotnet: -ApiKey --api-key -k? -Password nuget!-p? dev-certs!-p? --password
gem: --key
cargo: --token
sentry-cli: --auth-token
datadog-ci datadog-agent: --api-key --app-key
ngrok: --authtoken @last_of:authtoken,add-authtoken
tailscale: --authkey --auth-key
cloudflared: --token
wg-quick wpa_passphrase: @last
nmcli: password wifi-sec.psk 802-11-wireless-security.psk
iwconfig: key
iwctl: --passphrase
cryptsetup luksFormat: --key
mutt neomutt: -p?
sendemail swaks: -xp -ap --auth-password
ipmitool: -P?
snmpwalk snmpget snmpset snmpbulkwalk: -c? -A? -X?
nsupdate dig: -y?
kinit kadmin kadmin.local: -w? -pw
realm adcli: --stdin-password
pdftk: user_pw owner_pw input_pw
qpdf: --password
pdftotext pdfinfo pdftoppm: -upw -opw
mitmproxy mitmdump: --proxyauth:
hashcat john: --passphrase
mosquitto_pub mosquitto_sub: -P? --pw
okta auth0: --client-secret
telegram-send slack: --token
jenkins-cli.jar: -auth:
sonar-scanner: -Dsonar.token=* -Dsonar.login=* -Dsonar.password=*
useradd usermod: -p? --password
smbpasswd: @last_of:-a
dscl: @last_of:-passwd
security: -w -p -P
wsl chpasswd.exe: -p?
"""
_MOST_WORDS = 64
_WORD = re.compile(
    rb"(?:[^\s\"'\\;|&<>`]|\\{1,3}\"[^\"\\\n]*\\{1,3}\"|\\.|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]"
    rb"|\\[^'])*+'(?!\w{3,}\s*[:=])|&(?=[^\s&|])|\\\n)+|[;|&\n<>]"
)
_SPACE = re.compile(rb"(?:[ \t]|\\\r?\n)*")
_LISTED = re.compile(rb"\s*,\s*(\\*[\"'])((?:(?!\1)[^\n])*)\1")
_QUOTES = b"\"'`"


class Word(NamedTuple):
    """A word of a command and its position, without the quotes around it."""

    start: int
    stop: int
    text: bytes


class SecretValue(NamedTuple):
    """A secret value: the index of its word and the offset in it. `is_text`: a text with secrets under names."""

    word: int
    offset: int
    is_text: bool
    is_known: bool


class Option(NamedTuple):
    """An option of the table. `verb`: a word that the command must contain. `sign`: the sign before its secret."""

    name: bytes
    verb: bytes
    may_be_glued: bool
    may_be_apart: bool
    sign: bytes


class Program(NamedTuple):
    """The secret words of a program. A word that begins with none of `names` is not one of its `options`."""

    options: list[Option]
    places: list[bytes]
    names: tuple[bytes, ...]


def _programs() -> dict[bytes, Program]:
    table: dict[bytes, list[bytes]] = {}
    for line in _TABLE.strip().splitlines():
        programs, _, options = line.partition(": ")
        for program in programs.split():
            table.setdefault(program.encode(), []).extend(option.encode() for option in options.split())
    return {program: _program(specs) for program, specs in table.items()}


def _program(specs: list[bytes]) -> Program:
    options = [_option(spec) for spec in specs if spec[:1] != b"@"]
    return Program(options, [spec[1:] for spec in specs if spec[:1] == b"@"], tuple({each.name for each in options}))


def _option(spec: bytes) -> Option:
    verb, _, spelled = spec.rpartition(b"!")
    has_sign = spelled[-1:] in (b"%", b":", b",", b"/", b".") and len(spelled) > 2 and spelled[-2:] != b"/:"
    sign = spelled[-1:] if has_sign else b""
    spelled = spelled[: len(spelled) - len(sign)]
    glue = spelled[-1:]
    return Option(spelled.rstrip(b"*?"), verb, glue in (b"*", b"?"), glue != b"*", sign)


OPTIONS = _programs()


def spelled_options() -> list[str]:
    """The starts of words that may contain a secret, as patterns: a command without any is skipped."""
    names = {name for program in OPTIONS.values() for name in program.names}
    verbs = {verb for program in OPTIONS.values() for place in program.places for verb in _placing(place)[1]}
    starts = [re.escape(each.decode()) for each in names | verbs if each]
    return [*sorted(starts, key=len, reverse=True), r"\w+/\S+@", r"-\w*b"]


def words_after(raw: bytes, at: int, stop: int) -> list[Word]:
    """The words of the command whose program's name is at `at`, the name first.

    They are the words of a shell, or the strings of a list if the name is one of those.
    """
    words = [Word(at, stop, raw[at:stop])]
    limit = min(len(raw), stop + 4096)
    before = raw[at - 1 : at]
    listed = before and before in _QUOTES and raw[stop : stop + 1] == before
    end = stop + 1 if listed else stop
    while len(words) < _MOST_WORDS:
        found = _LISTED.match(raw, end, limit) if listed else _WORD.match(raw, _space(raw, end, limit), limit)
        if found is None or (not listed and found[0] in b";|&\n<>"):
            break
        end = found.end()
        words.append(Word(*found.span(2), found[2]) if listed else _unquoted(raw, *found.span()))
    return words


def _space(raw: bytes, at: int, limit: int) -> int:
    found = _SPACE.match(raw, at, limit)
    return found.end() if found else at


def _unquoted(raw: bytes, start: int, stop: int) -> Word:
    while stop - start > 2 and raw[start : start + 1] == b"\\" and raw[start + 1 : start + 2] in (b'"', b"\\"):
        start += 1
        stop -= 1 if raw[stop - 2 : stop - 1] != b"\\" else 2
    if stop - start > 1 and raw[start] == raw[stop - 1] and raw[start] in _QUOTES:
        start, stop = start + 1, stop - 1
    return Word(start, stop, raw[start:stop])


def secrets_in_options(words: Sequence[bytes]) -> Iterator[SecretValue]:
    """The secrets in the options of a command. The first word is the program."""
    program = OPTIONS.get(words[0].rpartition(b"/")[2])
    if program is None:
        return
    for at, word in enumerate(words):
        if at and word.startswith(program.names):
            for option in program.options:
                if word.startswith(option.name) and (not option.verb or option.verb in words):
                    yield from _value_of(option, words, at)
    for place in program.places:
        yield from _placed(place, words)


def _value_of(option: Option, words: Sequence[bytes], at: int) -> Iterator[SecretValue]:
    """The secret value of an option with whose name a word begins."""
    word, length = words[at], len(option.name)
    if len(word) == length and option.may_be_apart:
        if at + 1 < len(words):
            yield from _signed(words, at + 1, 0, option.sign)
    elif option.may_be_glued and not word.startswith(b"--"):
        yield from _signed(words, at, length, option.sign)
    elif word[length : length + 1] in (b"=", b'"', b"'"):
        yield from _signed(words, at, length + 1, option.sign)


def _signed(words: Sequence[bytes], at: int, offset: int, sign: bytes) -> Iterator[SecretValue]:
    text = words[at][offset:]
    lead = len(text) - len(text.lstrip(_QUOTES))
    if sign == b".":
        yield SecretValue(at, offset + lead, True, True)
    elif sign:
        found = text.find(sign)
        if found >= 0:
            yield SecretValue(at, offset + found + 1, False, True)
    else:
        prefix = next((len(p) for p in (b"pass:", b"hex:") if text[lead:].startswith(p)), 0)
        yield SecretValue(at, offset + lead + prefix, False, True)


def _placing(where: bytes) -> tuple[bytes, list[bytes]]:
    """The kind of a place, and the verbs that it follows."""
    kind, _, verbs = where.partition(b":")
    return kind, [verb for verb in verbs.split(b",") if verb]


def _placed(where: bytes, words: Sequence[bytes]) -> Iterator[SecretValue]:
    """Secrets that no option names: the last word, or what follows a user's name."""
    kind, verbs = _placing(where)
    last = len(words) - 1
    if kind == b"user/":
        for at, word in enumerate(words):
            if at and b"/" in word and not word.startswith((b"/", b"-", b"@")):
                yield SecretValue(at, word.find(b"/") + 1, False, True)
                return
    elif kind == b"user_last" and b"use" in words[1:3]:
        users = [at for at, word in enumerate(words) if word.lower().startswith(b"/user:")]
        yield from (SecretValue(at + 1, 0, False, True) for at in users if at < last)
        yield from (SecretValue(at - 1, 0, False, True) for at in users if at > 3)
    elif (kind == b"last" and last > 1 and any(word.startswith(b"-") and b"b" in word for word in words[1:])) or (
        kind == b"last_of" and last > 1 and any(verb in words[1:-1] for verb in verbs)
    ):
        yield SecretValue(last, 0, False, True)
