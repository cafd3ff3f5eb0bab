"""The engine of flows: the same flow in every language, what ends one, and code of any shape."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervisor.errors import Unreadable
from supervisor.evidence.flows import SUFFIXES, read

# What a client sends, a query that has it in its text, and queries that pass it beside their text.
QUERIES = {
    "javascript": (
        "const n = req.query.name;\n{}",
        "db.query('SELECT * FROM t WHERE a = ' + n);",
        ["db.query('SELECT * FROM t WHERE a = ?', [n]);", "db.query({text: 'SELECT $1', values: [n]});"],
    ),
    "typescript": (
        "const n: string = req.query.name as string;\n{}",
        "await db.query(`SELECT * FROM t WHERE a = ${n}`);",
        ["await db.query('SELECT * FROM t WHERE a = $1', [n]);", "this.users.findOne({ where: { name: n } });"],
    ),
    "php": (
        "<?php\n$n = $_GET['name'];\n{}",
        'mysqli_query($db, "SELECT * FROM t WHERE a = \'" . $n . "\'");',
        ["$s = $db->prepare('SELECT * FROM t WHERE a = ?'); $s->execute([$n]);"],
    ),
    "ruby": (
        "n = params[:name]\n{}",
        "User.where(\"name = '#{n}'\")",
        ["User.where('name = ?', n)", "User.where(name: n)", "conn.exec_params('SELECT $1', [n])", "KINDS.fetch(n)"],
    ),
    "go": (
        'package a\nfunc h(w http.ResponseWriter, r *http.Request) {\nn := r.FormValue("name")\n{}\n}',
        'db.Query("SELECT * FROM t WHERE a = \'" + n + "\'")',
        [
            'db.Query("SELECT * FROM t WHERE a = ?", n)',
            'rows, err := tx.Query("SELECT * FROM t WHERE a = $1", n)',
            'conn.Exec("DELETE FROM t WHERE a = ?", n)',
            'pool.QueryRow(ctx, "SELECT * FROM t WHERE a = $1", n)',
            'db.QueryContext(r.Context(), "SELECT * FROM t WHERE a = $1", n)',
            'db.Get(&user, "SELECT * FROM t WHERE a = $1", n)',
            "cache.Get(ctx, n)",
            "client.Get(base, n)",
        ],
    ),
    "java": (
        "class A { void h(HttpServletRequest request, Statement stmt) throws Exception {\n"
        'String n = request.getParameter("name");\n{}\n}}',
        'stmt.executeQuery("SELECT * FROM t WHERE a = \'" + n + "\'");',
        [
            'PreparedStatement p = c.prepareStatement("SELECT * FROM t WHERE a = ?"); p.setString(1, n);',
            'jdbc.queryForList("SELECT * FROM t WHERE a = ?", n);',
        ],
    ),
    "c_sharp": (
        'class A { void H() {\nvar n = Request.Query["name"];\n{}\n}}',
        'var c = new SqlCommand("SELECT * FROM t WHERE a = \'" + n + "\'", db);',
        ['var c = new SqlCommand("SELECT * FROM t WHERE a = @n", db); c.Parameters.AddWithValue("@n", n);'],
    ),
    "kotlin": (
        'fun h(call: ApplicationCall, stmt: Statement) {\nval n = call.parameters["name"]\n{}\n}',
        "stmt.executeQuery(\"SELECT * FROM t WHERE a = '$n'\")",
        ['val p = c.prepareStatement("SELECT * FROM t WHERE a = ?")\np.setString(1, n)'],
    ),
    "rust": (
        "async fn h(q: web::Query<Q>) {\nlet n = q.name.clone();\n{}\n}",
        "sqlx::query(&format!(\"SELECT * FROM t WHERE a = '{}'\", n)).fetch_all(&db).await;",
        ['sqlx::query("SELECT * FROM t WHERE a = ?").bind(n).fetch_all(&db).await;'],
    ),
}


@pytest.mark.parametrize("language", QUERIES)
def test_a_clients_value_in_the_text_of_a_query(language: str) -> None:
    frame, joined, _ = QUERIES[language]
    assert "sql" in read(language, frame.replace("{}", joined, 1))


@pytest.mark.parametrize(
    ("language", "query"), [(name, each) for name, (_, _, good) in QUERIES.items() for each in good]
)
def test_a_value_beside_the_text_changes_no_query(language: str, query: str) -> None:
    assert read(language, QUERIES[language][0].replace("{}", query, 1)) == {}


def test_pgx_has_its_text_behind_the_context() -> None:
    frame = QUERIES["go"][0]
    assert "sql" in read("go", frame.replace("{}", 'pool.Query(ctx, "SELECT * FROM t WHERE a = \'" + n + "\'")', 1))


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("", "req.query.name"),
        ("const { name } = req.body;", "name"),
        ("const name = request.params.id.trim();", "name"),
        ("", "(req.headers['x'] || 'y')"),
        ("", "decodeURIComponent(ctx.request.body.path)"),
        ("", "event.queryStringParameters.id"),
        ("", "req.nextUrl.searchParams.get('q')"),
    ],
)
def test_a_value_is_followed_to_the_request_that_brings_it(before: str, value: str) -> None:
    assert "sql" in read("javascript", f"{before}\ndb.query('SELECT * FROM t WHERE a = ' + {value});")


@pytest.mark.parametrize(
    ("before", "value"),
    [
        ("", "Number(req.query.id)"),
        ("const name = req.query.name; if (!ALLOWED.includes(name)) throw 0;", "name"),
        ("", "config.query.name"),
        ("", "'req.query.name'"),
        ("let a = b; let b = a;", "a"),
    ],
)
def test_what_is_checked_converted_or_of_another_origin_is_not(before: str, value: str) -> None:
    assert read("javascript", f"{before}\ndb.query('SELECT * FROM t WHERE a = ' + {value});") == {}


@pytest.mark.parametrize("language", sorted(QUERIES))
@settings(max_examples=25)
@given(code=st.text("reqnSELECT.query()`${}'\" =;constful,[]:><+\n#$_", max_size=80))
def test_any_text_is_read_or_unreadable(language: str, code: str) -> None:
    for text in (code, QUERIES[language][0].replace("{}", code, 1)):
        try:
            assert all(hits for hits in read(language, text).values())
        except Unreadable:
            continue


def test_every_language_of_the_table_is_tried() -> None:
    assert set(SUFFIXES) == {"cpp", *QUERIES}  # C and C++ have weaknesses of their own


@pytest.mark.parametrize(
    ("language", "call"),
    [
        ("go", "db.Query({})"),
        ("go", "s.conn.Exec({})"),
        ("javascript", "pool.query({})"),
        ("javascript", "harbour.db.get({})"),
        ("ruby", "db.execute({})"),
        ("rust", "sqlite.execute({})"),
    ],
)
def test_a_whole_statement_of_a_client(language: str, call: str) -> None:
    assert "sql" in read(language, WHOLE[language].replace("CALL", call.format(CLIENTS[language])))


@pytest.mark.parametrize(
    ("language", "call"),
    [
        ("go", "stmt.Query({})"),
        ("go", "byName.QueryRow({})"),
        ("go", "cache.Query({})"),
        ("javascript", "byName.get({})"),
        ("javascript", "cache.get({})"),
        ("javascript", "/a+/.exec({})"),
        ("javascript", "$.get({})"),
        ("ruby", "by_name.execute({})"),
        ("rust", "by_name.execute({})"),
    ],
)
def test_a_value_for_what_runs_no_text(language: str, call: str) -> None:
    """A statement that is prepared, or no database at all."""
    assert "sql" not in read(language, WHOLE[language].replace("CALL", call.format(CLIENTS[language])))


CLIENTS = {"go": 'r.FormValue("q")', "javascript": "req.query.q", "ruby": "params[:q]", "rust": "q"}
WHOLE = {
    "go": "package a\nfunc h(w http.ResponseWriter, r *http.Request) {\n"
    '\tbyName, err := db.Prepare("SELECT a FROM b")\n\tCALL\n}\n',
    "javascript": "const byName = db.prepare('SELECT a FROM b');\napp.get('/', (req, res) => { CALL; });\n",
    "ruby": "class A < B\n  def show\n    by_name = db.prepare('SELECT a FROM b')\n    CALL\n  end\nend\n",
    "rust": "async fn f(Query(q): Query<String>) {\n"
    '    let mut by_name = conn.prepare("SELECT a FROM b")?;\n    CALL;\n}\n',
}


@pytest.mark.parametrize(("given", "shown", "is_found"), [("a", "a", True), ("a", "b", False), ("$k", "b", True)])
def test_each_key_of_an_array_has_its_own_value(given: str, shown: str, is_found: bool) -> None:
    key = given if given.startswith("$") else f"'{given}'"
    code = f"<?php\n$kept[{key}] = $_GET['x'];\n$kept['c'] = 'fixed';\necho '<p>' . $kept['{shown}'] . '</p>';\n"
    assert ("html" in read("php", code)) == is_found


@pytest.mark.parametrize(("kind", "is_found"), [("int", False), ("int|null", False), ("string", True)])
def test_a_comment_declares_the_type_of_a_property(kind: str, is_found: bool) -> None:
    code = (
        f"<?php\nclass A {{\n  /** @var {kind} */\n  private $n;\n  function __construct($n) {{ $this->n = $n; }}\n"
        '  function rows($db) { return $db->query("SELECT a FROM b WHERE n = \'" . $this->n . "\'"); }\n}\n'
    )
    assert ("sql" in read("php", code)) == is_found
