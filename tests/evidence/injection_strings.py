"""Values for fields, made by a grammar: those that would change a statement, by family, and honest ones."""

from __future__ import annotations

from hypothesis import strategies as st

_NUMBERS = st.sampled_from(["1", "0", "-1", "42", "7.5", "0x31"])
_NAMES = st.sampled_from(["users", "members", "shop.orders", "login", "pass_word", "t1"])
_QUOTES = st.sampled_from(["", "'", '"'])
_GAPS = st.sampled_from([" ", "  ", "\t", "\n", "/**/", "/*x*/", " /* a b */ "])
_LOGIC = st.sampled_from(["or", "and", "xor", "||", "&&", "AnD", "OR NOT"])


@st.composite
def _conditions(draw: st.DrawFn, quote: str) -> str:
    """A condition that ends well where the statement goes on with the quote."""
    number = draw(_NUMBERS)
    forms = [
        f"{number}={number}",
        f"({number})=({number})",
        "2>1",
        f"{number} like {number}",
        f"{number} in ({number})",
    ]
    if quote:
        forms += [f"{quote}a{quote}={quote}a", f"{quote}{quote}={quote}"]
    return draw(st.sampled_from(forms))


@st.composite
def _calls(draw: st.DrawFn) -> str:
    name = draw(_NAMES)
    forms = [
        "sleep(5)",
        "benchmark(900000,md5(1))",
        f"ascii(substr((select {name} from {draw(_NAMES)} limit 1),1,1))>64",
        "extractvalue(1,concat(0x7e,version()))",
        f"(select count(*) from {name})>0",
        f"exists(select 1 from {name})",
        "(select 8 from (select sleep(3))a)",
    ]
    return draw(st.sampled_from(forms))


@st.composite
def _selects(draw: st.DrawFn) -> str:
    shown = st.sampled_from(["null", "1", "0x2a", "@@version", "version()", "login", "concat(a,0x3a,b)", "char(65,66)"])
    columns = ",".join(draw(st.lists(shown, min_size=1, max_size=6)))
    gap = draw(_GAPS)
    source = draw(st.sampled_from(["", f"{gap}from{gap}{draw(_NAMES)}", f"{gap}FROM{gap}information_schema.tables"]))
    return f"select{gap}{columns}{source}"


@st.composite
def _statements(draw: st.DrawFn) -> str:
    name = draw(_NAMES)
    forms = [
        f"drop table {name}",
        f"delete from {name}",
        f"update {name} set a=1",
        f"insert into {name} values (1,2)",
        "exec master..xp_cmdshell 'dir'",
        "waitfor delay '0:0:9'",
        "shutdown",
        f"truncate table {name}",
        f"select pass from {name}",
        "declare @q varchar(99)",
    ]
    return draw(st.sampled_from(forms))


def _tail(quote: str) -> st.SearchStrategy[str]:
    return st.sampled_from(["-- ", "--", "#", "-- -", "/*"] if quote else ["", "-- ", "--", "#"])


@st.composite
def _attack(draw: st.DrawFn, family: str) -> str:
    quote = draw(_QUOTES if family not in ("cut", "closed") else st.sampled_from(["'", '"']))
    gap = draw(_GAPS)
    head = draw(st.sampled_from(["1", "-7", "99999"] if not quote else ["", "x", "admin", "1", "a b"]))
    start = f"{head}{quote}{draw(st.sampled_from(['', ')', '))']))}"
    tail = gap + draw(_tail(quote))
    if family == "tautology":
        return f"{start}{gap}{draw(_LOGIC)}{gap}{draw(_conditions(''))}{tail}"
    if family == "closed":
        return f"x{quote}{gap}{draw(st.sampled_from(['or', 'and', '||']))}{gap}{draw(_conditions(quote))}"
    if family == "union":
        joined = draw(st.sampled_from(["union", "UNION ALL", "union distinct", "UniOn/**/all"]))
        return f"{start}{gap}{joined}{gap}{draw(_selects())}{tail}"
    if family == "stacked":
        return f"{start};{gap}{draw(_statements())}{tail}"
    if family == "call":
        return f"{start}{gap}{draw(st.sampled_from(['or', 'and', 'AND NOT']))}{gap}{draw(_calls())}{tail}"
    if family == "clause":
        clause = draw(st.sampled_from(["order by 9", "having 1=1", "group by 1,2", "limit 0,1", "into outfile '/a'"]))
        return f"{start}{gap}{clause}{tail}"
    return f"{draw(st.sampled_from(['admin', 'x', 'o brien', '1']))}{quote}{draw(st.sampled_from(['', ' ', ')']))}-- "


FAMILIES = ("tautology", "closed", "union", "stacked", "call", "clause", "cut")
ATTACKS = {family: _attack(family) for family in FAMILIES}

_VOCABULARY = (
    "select union or and not where from order by group table drop insert update delete having like in is "
    "null the a of my for with best price lamp team members city blue red what how it's don't O'Neil d'or "
    "Jean-Luc l'eau 5' 6\" 3/4 size 2 10 100% 1-2 #1 (new) & + - -- ; : ? ! 'quoted' \"quoted\" C++ @home "
    "a/b e.g. 50€ null's 2nd"
)
_WORDS = st.sampled_from(_VOCABULARY.split())


@st.composite
def _phrase(draw: st.DrawFn) -> str:
    """Words in the order in which people could put them: after each word that SQL has stands one that it has not."""
    words = draw(st.lists(st.tuples(_WORDS, st.sampled_from(["nice old", "our new", "green field"])), max_size=6))
    return " ".join(f"{word} {pair}" for word, pair in words)


@st.composite
def _ordinary(draw: st.DrawFn) -> str:
    name, other = (
        draw(st.sampled_from(["O'Brien", "D'Angelo", "O\u2019Hara", "Smith"])),
        draw(st.sampled_from(["Ann", "Li"])),
    )
    number = draw(st.integers(0, 9999))
    return draw(
        st.sampled_from(
            [
                f"{other} {name}",
                f"{name}-{other}",
                f"{number}' x {number}\"",
                f'{number}/{number} "-{number}" ribbon',
                f"{other}@{name.lower().replace(chr(39), '')}.org",
                f"https://example.org/{number}?q={name}&n={number}#top",
                f"{number}+{number}={number + number}",
                f"({number} - {number}) * 2 > 1",
                f"'{name}' by {other}, {number}",
                f"rock 'n' roll & \"{other}\"",
                f"y = {number} * x and x < {number}",
                f"{number} or more",
                f"f(x) = sin(x) + {number}",
                f"order by {number} pm from {other}'s",
                f"{number}--{number}",
                f"-- {other}",
                f"{other} (select {number} of {number})",
                f"C:\\{other}\\{number}.txt; see #{number}",
                f"{number}, {other} Street; apt #{number}",
                f"=SUM(A{number}:B{number})",
            ]
        )
    )


HONEST = {"phrase": _phrase(), "ordinary": _ordinary()}
