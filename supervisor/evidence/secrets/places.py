r"""Places of secrets: contexts in which a value is a secret, in any form.

Each place is a pattern (RE2, over bytes read as Latin-1) that ends where the value begins. Every pattern begins with a
name or a word of the place, so a text without one is searched only once, for the hints.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from supervisor.evidence.secrets.names import SECRET_NAME, UPPER_KEY
from supervisor.evidence.secrets.options import OPTIONS, spelled_options


class Reader(Enum):
    """The extent of the value at a place."""

    VALUE = "quoted or bare"
    QUOTED = "only in quotes"
    GROUP = "the pattern's group"
    ELEMENT = "up to the next tag"
    PAIRS = "the values of name=value pairs"
    AUTHORITY = "up to the sign before a host"
    COMMAND = "the secret values of the program's options"
    COLUMN = "a column of a table, below its name"
    PHRASE = "the words of a wallet's phrase"


@dataclass(frozen=True, slots=True)
class Place:
    """`any_value`: the value may be a password that a person chose, whatever the name."""

    name: str
    hint: str
    pattern: str
    reader: Reader = Reader.VALUE
    any_value: bool = False
    random_only: bool = False  # only a random value counts, whatever the name
    begins: bool = False  # the value begins at the pattern's group, not at its end
    named: bool = False  # begins with a name that may be public


_CLOSED = r"(?:\\{0,3}[\"'`\])]){0,3}"
_TYPED = r":[ \t]?[A-Za-z_&*][\w.\[\]| <>&'?]*=[ \t]*|[ \t]+(?:string|String|str|varchar)[ \t]*=[ \t]*"
_IS = rf"(?:{_TYPED}|[ \t]*(?:=>|:=|<-|[=!]==?|[?+]=|=|:)[ \t]*)"
_OF = (
    r"(?:[ \t]+(?:for|of|to|on|at|in|von|f\xc3\xbcr|zu|de|del|di|do|da|pour|para|per|voor"
    r"|van)(?:[ \t]+[\w.@'`/-]+){1,4})?"
)
_VERB = (
    r"(?:[ \t]+(?:(?:is|was|are|will be|should be|has been|reads|equals|being)(?: now| currently| still)?(?: set)?"
    r"(?: to| as)?|to|set to|changed to|ist|lautet|hei\xc3\x9ft|war|est|es|era|to|\xc3\xa8|\xc3\xa9|\xe2\x80\x94"
    r"|-|--|->"
    r"|\xe2\x86\x92|=|this:|\xd1\x8d\xd1\x82\xd0\xbe)[ \t]*:?[ \t]+"
    r"|[ \t]?(?:\xe6\x98\xaf|\xe4\xb8\xba|\xe7\x82\xba|\xef\xbc\x9a|\xe3\x81\xaf|\xeb\x8a\x94"
    r"|\xec\x9d\x80)(?:[ \t:]|\xef\xbc\x9a)*)"
)
_MARKED = r"(?:\*\*|__|[`(])?"
_NAMING = (
    r"\b(?:ENV|ARG|setx|setenv|set -g?x|set-?env|(?:conf|config|configure|secrets?|variables?"
    r"|env)(?: --global)? set|put"
    r"|requirepass|masterauth|--build-arg|-e|add_header)"
)
_STDIN = (
    r"(?:--password-stdin|passwd[ ]+(?:-\S+[ ]+)*--stdin|--stdin|chpasswd|sudo[ ]+(?:-\S+[ ]+)*-\w*S|--passphrase-fd"
    r"|--with-token|cryptsetup|smbpasswd|kinit|vault[ ]+login|secrets?[ ]+(?:put|set|create|add)|secrets[ ]+versions"
    r"|docker[ ]+secret|--pinentry|--token-stdin|--data-file|pass[ ]+insert|secret-tool)"
)
_WORD = r"(?:\"[^\"\n]*\"|'[^'\n]*'|\\.|[^\s\"'|;&\\])+"
_ECHOED = rf"\b(?:echo|printf)[ ]+(?:-\w+[ ]+|[\"']?%s(?:\\+n)?[\"']?[ ]+)*({_WORD})[ ]*\|[^\n|;]*{_STDIN}"
_PROGRAM = "|".join(sorted((each.decode().replace(".", r"\.") for each in OPTIONS), key=len, reverse=True))
_CALLED = rf"\b(?:{_PROGRAM})\\?[\"']?(?:[ ,][^\n]*?)?[\s\"',](?:{'|'.join(spelled_options())})"
_QUOTE = r"(?:[rbuf@$]|\w+\()?\\*[\"'`]"
_PAIRED = r"\\?[\"']?[ ,;>]*\s*(?:-[ ]+)?\\?[\"']?(?:value|default|content|data|v)\\?[\"']?[ ]?(?:=>|[:=])[ ]?"
_KEYED = r"(?i)(?:name|key|variable|parameter|option|header|field|id)\\?[\"']?[ ]?(?:=>|[:=])[ ]?\\?[\"']?[\w.:/ -]*"
_LOGIN = (
    r"(?i)(?:auth|login|credentials?|account)\w*(?:[ ]?[:=][ ]?\w*"
    r"|)[ ]?[(\[][ (]*(?:user(?:name)?=)?\\*[\"'][^\"'\n]*[\"'],"
    r"[ ]*(?:password=)?"
)
_NETRC = r"\b(?:login|machine|account|user)[ \t]+\S+\s+passw(?:or)?d[ \t]+"
_PGPASS = r"(?m)^[ \t]*[\w.*-]+:(?:\d{2,5}|\*):[\w.*-]+:[\w.*-]+:"
_SQL = r"(?i)(?:identified[ ]+(?:with[ ]+\S+[ ]+)?by|\bpassword)[ ]+(?:password[ ]+)?"
_SEED = r"(?i)(?:mnemonic|(?:seed|recovery|backup|secret)[ _-]?(?:phrase|words)|\bseed)"
_HEADER = (
    r"(?i)(?:authorization[\"'\]\\]{0,4}[ \t]{0,4}[:=,][ \t]{0,4}\\{0,3}[\"'`f]{0,2}[A-Za-z0-9-]+|\bbearer|\bbasic)[ ]+"
)
_PARAMETER = r"[?&](?:key|auth|signature|code|access|k|t)="
_COLUMN = (
    rf"[,|\t;][ \"'`]*[\w.-]*{SECRET_NAME}[\"'`* ]*(?:[,|\t;]|\r?\n)|(?m)^[ \"'`]*[\w.-]*{SECRET_NAME}[\"'`* ]*[,|\t;]"
)
# The start of the line is found backwards, once for each line: this pattern matches up to its end.
_COLUMN_NAMED = (
    rf"(?m)(?:[,|\t;][ \"'`*]*[\w. -]*{SECRET_NAME}[\"'`* ]*(?:[,|\t;][^\n]*|\r?$)"
    rf"|^[ \"'`*]*[\w. -]*{SECRET_NAME}[\"'`* ]*[,|\t;][^\n]*)"
)
_PROSE = rf"{SECRET_NAME}{_CLOSED}{_OF}{_VERB}{_MARKED}"
_ASSIGNED = rf"(?:{SECRET_NAME}|{UPPER_KEY}){_CLOSED}{_IS}"
_BEGUN = r"([a-z_.]*[^\sa-z_.=:\"'`][^\s\"'`]{2}|[a-z]{6}|[\\\"'`]+[^\s\"'`\\]|[rbufRBU@$]{1,2}[\"'`]|[\w:.]+\([\"'`])"
_ELEMENT = rf"<[\w:.-]*{SECRET_NAME}(?:[ ][^<>]*)?>|<(?:key|name)>[\w.-]*{SECRET_NAME}<"
_ELEMENT_VALUE = (
    rf"<[\w:.-]*{SECRET_NAME}(?:[ ][^<>]*)?>(?:\s*<string>|\s*<value>|<!\[CDATA\[)?"
    rf"|<(?:key|name)>[\w.-]*{SECRET_NAME}</\w+>\s*<\w+>"
)
_WORDS = rf"{_NAMING}[ \t]+(?:--?\w+[ \t]+)*[\w./:@-]*{SECRET_NAME}[ \t]+"
_OPTION = rf"[\s\"'](?:--?|/)[a-zA-Z0-9._-]*{SECRET_NAME}(?:[ \t]+|[\"'],[ ]*)"

PLACES: tuple[Place, ...] = (
    Place("seed", _SEED, _SEED + r"[\"'`*_)\]]{0,3}(?:[ ]?(?:is|are|=>|:=|[:=]))*[ \t]*", Reader.PHRASE),
    Place("command", _CALLED, rf"(?:^|[^\w.-])({_PROGRAM})\\?[\"' ,]", Reader.COMMAND),
    Place("url", r"://[^\s\"'<>]*@", r"://(?:[^\s/?#:@\"'<>]*:)?", Reader.AUTHORITY),
    Place(
        "cookie",
        r"(?i)cookies?2?[\"']?[ ]?[:=,][ ]?[\"'{]?[\w.-]+=",
        r"(?i)cookies?2?[\"']?[ ]?[:=,][ \t]*[\"'{]?",
        Reader.PAIRS,
    ),
    Place("netrc", _NETRC, _NETRC, any_value=True),
    Place("pgpass", _PGPASS, _PGPASS, any_value=True),
    Place("sql", _SQL + _QUOTE, f"{_SQL}({_QUOTE})", Reader.QUOTED, any_value=True, begins=True),
    Place("header", _HEADER, _HEADER),
    Place("parameter", _PARAMETER, _PARAMETER),
    Place("login", _LOGIN, _LOGIN, Reader.QUOTED, random_only=True),
    Place("stdin", _STDIN, _ECHOED, Reader.GROUP, any_value=True),
    Place("here", r"<<<", rf"{_STDIN}[^\n|;]*<<<[ ]*", any_value=True),
    Place("option", _OPTION + r"[^\s-]", _OPTION, named=True),
    Place(
        "table", rf"{SECRET_NAME}[\"'`*]{{0,2}}[ \t]*\|", rf"{SECRET_NAME}[\"'`*]{{0,2}}[ \t]*\|[ \t]*[`*]*", named=True
    ),
    Place("pair", SECRET_NAME + _PAIRED, _KEYED + SECRET_NAME + _PAIRED, any_value=True),
    Place("element", _ELEMENT, _ELEMENT_VALUE, Reader.ELEMENT, named=True),
    Place("call", rf"{SECRET_NAME}\([ ]*{_QUOTE}", rf"{SECRET_NAME}\([ ]*", Reader.QUOTED, named=True),
    Place(
        "comma",
        rf"{SECRET_NAME}\\{{0,3}}[\"'`][ ]?,[ ]*(?:\w+=)?{_QUOTE}",
        rf"{SECRET_NAME}\\{{0,3}}[\"'`][ ]?,[ ]*(?:\w+=)?",
        Reader.QUOTED,
        random_only=True,
        named=True,
    ),
    Place("words", _WORDS, _WORDS, named=True),
    Place("prose", _PROSE, _PROSE, named=True),
    Place("assignment", _ASSIGNED + _BEGUN, _ASSIGNED + _MARKED + _BEGUN, begins=True, named=True),
    Place("column", _COLUMN, _COLUMN_NAMED, Reader.COLUMN),
)

# The starts of the places above: a text without any of them is not searched further.
TRIGGERS: tuple[str, ...] = (
    rf"{SECRET_NAME}(?:[\"'`\\)\]*][^\n]|[ \t]*[=:|,(<>!?+;]|[ \t]+[^\s]|\r?\n|[\x80-\xff])",
    r"(?i)seed|mnemonic|identified[ ]|login[ \t(]|cookie|bearer|\bbasic |auth|(?:user|machine|account)[ ]",
    rf"://[^\s\"'<>]*@|{_PARAMETER}|{_PGPASS}|<<<",
    rf"{UPPER_KEY}[\"'`]*[ \t]*[:=]",
    rf"\b(?:{_PROGRAM})\\?[\"' ,]",
    r"-stdin|chpasswd|sudo|--passphrase|--with-token|cryptsetup|smbpasswd|kinit|--data-file|--pinentry",
)

HASH_HINT = (
    r"\$(?:[1567yPHS]|apr1|gy|2[abxy]|argon2|scrypt|bcrypt|pbkdf2|sha1|md5)"
    r"|(?:sha\d*|argon2|bcrypt\w*|scrypt|md5)\$|\{S?(?:SHA|MD5|CRYPT)"
)
HASH = (
    r"(\$(?:1|apr1|5|6|7|y|gy|2[abxy]|argon2(?:id?|d)|scrypt|bcrypt-sha256|pbkdf2[\w-]*|P|H|S|sha1"
    r"|md5)\$[./A-Za-z0-9$,=+-]{20,})"
    r"|((?:pbkdf2_sha\d+|argon2|bcrypt|bcrypt_sha256|scrypt|sha1|md5)\$[./A-Za-z0-9$,=+-]{24,})|(\{S?(?:SHA\d*"
    r"|MD5|CRYPT)\}[A-Za-z0-9+/$.=]{24,})"
)
