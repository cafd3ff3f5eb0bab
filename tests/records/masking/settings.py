"""Places in which secrets stand, spelled as each language and program has them written."""

from __future__ import annotations

import base64
import json
import random
import shlex
import urllib.parse
from collections.abc import Callable
from xml.sax.saxutils import escape

from tests.records.masking.kinds import Kind

Put = Callable[[Kind, str, str, random.Random], str]


def _spelled(name: str, joint: str) -> str:
    """`adminPassword` as `admin-password`."""
    parted = "".join(
        f"_{letter.lower()}" if letter.isupper() and before.islower() else letter.lower()
        for before, letter in zip(" " + name, name, strict=False)
    )
    return parted.replace("_", joint).replace("-", joint)


def _upper(name: str) -> str:
    return _spelled(name, "_").upper()


def _c_string(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _sql_string(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _url(value: str) -> str:
    return urllib.parse.quote(value, safe="")


def _basic(value: str) -> str:
    return base64.b64encode(f"bob:{value}".encode()).decode()


# by place: the ways of writing a secret there. Every one is given the value as it is, and quotes it as it must.
SETTINGS: dict[str, list[Put]] = {
    "shell": [
        lambda k, n, v, r: f"{_upper(n)}={shlex.quote(v)} ./run",
        lambda k, n, v, r: f"export {_upper(n)}={shlex.quote(v)}",
        lambda k, n, v, r: f"docker run --rm -e {_upper(n)}={shlex.quote(v)} app:1",
        lambda k, n, v, r: f"env {_upper(n)}={shlex.quote(v)} make deploy && echo done",
        lambda k, n, v, r: f"$env:{_upper(n)} = '{v.replace(chr(39), chr(39) * 2)}'",
        lambda k, n, v, r: f"kubectl create secret generic app --from-literal={_spelled(n, '-')}={shlex.quote(v)}",
        lambda k, n, v, r: f"heroku config:set {_upper(n)}={shlex.quote(v)} -a app",
    ],
    "option": [
        lambda k, n, v, r: f"deploy --{_spelled(n, '-')} {shlex.quote(v)} --verbose",
        lambda k, n, v, r: f"deploy --{_spelled(n, '-')}={shlex.quote(v)} --verbose",
        lambda k, n, v, r: f"mysql -h db -uroot -p{shlex.quote(v)} app",
        lambda k, n, v, r: f"mysqldump --user=root --password={shlex.quote(v)} app",
        lambda k, n, v, r: f"curl -s -u bob:{shlex.quote(v)} https://api.acme.io/v1",
        lambda k, n, v, r: f"curl --user {shlex.quote('bob:' + v)} https://api.acme.io/v1",
        lambda k, n, v, r: f"sshpass -p {shlex.quote(v)} ssh root@10.0.0.7",
        lambda k, n, v, r: f"sshpass -p{shlex.quote(v)} ssh root@10.0.0.7",
        lambda k, n, v, r: f"docker login -u bob -p {shlex.quote(v)} registry.acme.io",
        lambda k, n, v, r: f"redis-cli -h cache -a {shlex.quote(v)} ping",
        lambda k, n, v, r: f"openssl enc -aes-256-cbc -k {shlex.quote(v)} -in a -out b",
        lambda k, n, v, r: f"openssl rsa -in key.pem -passin pass:{shlex.quote(v)}",
        lambda k, n, v, r: f"az storage blob list --account-name acme --account-key {shlex.quote(v)}",
        lambda k, n, v, r: f"az login --service-principal -u app -p {shlex.quote(v)} --tenant t",
        lambda k, n, v, r: f"mongosh --host db -u bob -p {shlex.quote(v)}",
        lambda k, n, v, r: f"ldapsearch -D cn=admin -w {shlex.quote(v)} -b dc=acme",
        lambda k, n, v, r: f"smbclient //nas/share -U {shlex.quote('bob%' + v)}",
        lambda k, n, v, r: f"7z x backup.7z -p{shlex.quote(v)}",
        lambda k, n, v, r: f"zip -P {shlex.quote(v)} -r out.zip data",
        lambda k, n, v, r: f"gpg --batch --passphrase {shlex.quote(v)} -d file.gpg",
        lambda k, n, v, r: f"wget --user=bob --password={shlex.quote(v)} https://acme.io/x",
        lambda k, n, v, r: f"sqlcmd -S db -U sa -P {shlex.quote(v)} -Q 'select 1'",
        lambda k, n, v, r: f"bcp app.dbo.t out t.dat -S db -U sa -P{shlex.quote(v)}",
        lambda k, n, v, r: f"lftp -u {shlex.quote('bob,' + v)} ftp.acme.io",
        lambda k, n, v, r: f"htpasswd -b .htpasswd bob {shlex.quote(v)}",
        lambda k, n, v, r: f"echo {shlex.quote('bob:' + v)} | chpasswd",
        lambda k, n, v, r: f"echo {shlex.quote(v)} | passwd --stdin bob",
        lambda k, n, v, r: f"echo {shlex.quote(v)} | sudo -S reboot-check",
        lambda k, n, v, r: f"echo {shlex.quote(v)} | docker login -u bob --password-stdin",
        lambda k, n, v, r: f"gh secret set APP -b {shlex.quote(v)}",
        lambda k, n, v, r: f"aws configure set aws_secret_access_key {shlex.quote(v)}",
        lambda k, n, v, r: f"restic -r s3:x backup --password {shlex.quote(v)}",
        lambda k, n, v, r: f"curl --oauth2-bearer {shlex.quote(v)} https://api.acme.io",
        lambda k, n, v, r: json.dumps({"cmd": ["sshpass", "-p", v, "ssh", "root@10.0.0.7"]}, ensure_ascii=False),
        lambda k, n, v, r: f"subprocess.run(['mysql', '-uroot', {'-p' + v!r}, 'app'])",
    ],
    "header": [
        lambda k, n, v, r: f"Authorization: Basic {_basic(v)}",
        lambda k, n, v, r: f"curl -H 'Authorization: Basic {_basic(v)}' https://api.acme.io",
        lambda k, n, v, r: f"Authorization: Bearer {_url(v)}",
        lambda k, n, v, r: f"X-Api-Key: {_url(v)}",
        lambda k, n, v, r: json.dumps({"headers": {"X-Auth-Token": v}}, ensure_ascii=False),
        lambda k, n, v, r: f"Cookie: theme=dark; session={_url(v)}; lang=en",
        lambda k, n, v, r: f"Set-Cookie: sid={_url(v)}; Path=/; HttpOnly",
        lambda k, n, v, r: f"curl -b session={_url(v)} https://acme.io/",
    ],
    "URL": [
        lambda k, n, v, r: f"https://bob:{_url(v)}@git.acme.io/a/b.git",
        lambda k, n, v, r: f"git clone https://bob:{_url(v)}@git.acme.io/a/b.git",
        lambda k, n, v, r: f"https://api.acme.io/v1/items?limit=5&{_spelled(n, '_')}={_url(v)}&page=2",
        lambda k, n, v, r: f"GET /v1/items?access_token={_url(v)} HTTP/1.1",
        lambda k, n, v, r: f"otpauth://totp/Acme:bob?secret={_url(v)}&issuer=Acme",
    ],
    "file": [
        lambda k, n, v, r: json.dumps({"user": "bob", n: v}, ensure_ascii=False),
        lambda k, n, v, r: json.dumps({"db": {"host": "h", n: v}, "port": 1}, indent=2, ensure_ascii=False),
        lambda k, n, v, r: json.dumps(json.dumps({"user": "bob", n: v})),
        lambda k, n, v, r: f"db:\n  user: bob\n  {n}: {_c_string(v)}\n",
        lambda k, n, v, r: f"db:\n  user: bob\n  {n}: {v if k.plain else _sql_string(v)}\n",
        lambda k, n, v, r: f'[db]\nuser = "bob"\n{n} = {_c_string(v)}\n',
        lambda k, n, v, r: f"[client]\nuser = bob\n{n} = {v}\nport = 3306\n",
        lambda k, n, v, r: f"HOST=db\n{_upper(n)}={v}\nPORT=5432\n",
        lambda k, n, v, r: f"HOST=db\n{_upper(n)}={_c_string(v)}\nPORT=5432\n",
        lambda k, n, v, r: f"<db><user>bob</user><{_spelled(n, '_')}>{escape(v)}</{_spelled(n, '_')}></db>",
        lambda k, n, v, r: f"machine api.acme.io login bob password {_url(v)}\n",
        lambda k, n, v, r: f"db.acme.io:5432:app:bob:{_url(v)}\n",
        lambda k, n, v, r: f"env:\n  - name: {_upper(n)}\n    value: {_c_string(v)}\n",
    ],
    "connection": [
        lambda k, n, v, r: f"postgres://bob:{_url(v)}@db.acme.io:5432/app",
        lambda k, n, v, r: f"DATABASE_URL=mysql://root:{_url(v)}@db:3306/app",
        lambda k, n, v, r: f"mongodb+srv://bob:{_url(v)}@c0.acme.mongodb.net/app?w=majority",
        lambda k, n, v, r: f"redis://:{_url(v)}@cache:6379/0",
        lambda k, n, v, r: f"Server=db;Database=app;User Id=sa;Password={_url(v)};Encrypt=True;",
        lambda k, n, v, r: f"Host=db;Username=bob;Pwd={_url(v)};Database=app",
        lambda k, n, v, r: f"host=db user=bob password={_sql_string(v)} dbname=app",
        lambda k, n, v, r: f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={_url(v)};EndpointSuffix=x",
        lambda k, n, v, r: f"jdbc:mysql://db:3306/app?user=bob&password={_url(v)}",
    ],
    "code": [
        lambda k, n, v, r: f"{_spelled(n, '_')} = {v!r}\n",
        lambda k, n, v, r: f"client = Client(user='bob', {_spelled(n, '_')}={v!r})\n",
        lambda k, n, v, r: f"const {n.replace('-', '')} = {_c_string(v)};\n",
        lambda k, n, v, r: f"private static final String {_upper(n)} = {_c_string(v)};\n",
        lambda k, n, v, r: f"${_spelled(n, '_')} = {_c_string(v)};\n",
        lambda k, n, v, r: f"define('{_upper(n)}', {_c_string(v)});\n",
        lambda k, n, v, r: f'os.Setenv("{_upper(n)}", {_c_string(v)})\n',
        lambda k, n, v, r: f"os.environ['{_upper(n)}'] = {v!r}\n",
        lambda k, n, v, r: f"let {_spelled(n, '_')}: &str = {_c_string(v)};\n",
        lambda k, n, v, r: f"config.{_spelled(n, '_')} = {_c_string(v)}\n",
        lambda k, n, v, r: f"  :{_spelled(n, '_')} => {_c_string(v)},\n",
        lambda k, n, v, r: f"requests.get(url, auth=('bob', {v!r}))\n",
        lambda k, n, v, r: f"CREATE USER bob IDENTIFIED BY {_sql_string(v)};",
        lambda k, n, v, r: f"ALTER ROLE bob WITH PASSWORD {_sql_string(v)};",
        lambda k, n, v, r: f"new UserBuilder().setPassword({_c_string(v)}).build();",
    ],
    "prose": [
        lambda k, n, v, r: f"Hi, the password is {v}\nThanks, Bob",
        lambda k, n, v, r: (
            f"The password for the staging database is `{v}`." if "`" not in v else f"The password is {v}"
        ),
        lambda k, n, v, r: f"Password: {v}\n",
        lambda k, n, v, r: f"Das Passwort lautet {v}\n",
        lambda k, n, v, r: f"Le mot de passe est {v}\n",
        lambda k, n, v, r: f"La contraseña es {v}\n",
        lambda k, n, v, r: f"use this token: {v}\n",
        lambda k, n, v, r: f"my API key is {v}\n",
        lambda k, n, v, r: f"密码是 {v}\n",
    ],
    "output": [
        lambda k, n, v, r: f"2026-01-05T10:00:00Z INFO connecting user=bob password={v if k.plain else _c_string(v)}\n",
        lambda k, n, v, r: (
            f"| user | password |\n|------|----------|\n| bob  | {v.replace('|', '/')} |\n"
            if "|" not in v
            else f"password: {v}\n"
        ),
        lambda k, n, v, r: f"user,password,role\nbob,{v},admin\n" if k.plain else f"password={_c_string(v)}\n",
        lambda k, n, v, r: f"+ export {_upper(n)}={shlex.quote(v)}\n+ ./run\n",
        lambda k, n, v, r: f"| {n} | {v} |\n" if "|" not in v else f"{n}: {_c_string(v)}\n",
        lambda k, n, v, r: f"PATH=/usr/bin\n{_upper(n)}={v}\nHOME=/root\n",
        lambda k, n, v, r: f"{{'user': 'bob', '{n}': {v!r}}}\n",
    ],
    "file name": [
        lambda k, n, v, r: f"/srv/backup/{_spelled(n, '_')}={_url(v)}.json",
        lambda k, n, v, r: f"/tmp/key_{v}.txt" if k.marked else f"/tmp/{_spelled(n, '-')}={_url(v)}.txt",
    ],
}

# Whose format only one sort of name makes a secret, and who has no place in the options of a database's client.
PHRASES = "phrase"
HASHES = ("hash",)


def fits(kind: Kind, place: str, put: int) -> bool:
    """Whether anybody writes this kind of secret there."""
    if "phrase of" in kind.name:
        return (place in ("file", "code") and put in (0, 1, 3, 5)) or (place == "shell" and put in (0, 1))
    if kind.name == "digits":
        return place != "header" or put not in (5, 6, 7)
    return True
