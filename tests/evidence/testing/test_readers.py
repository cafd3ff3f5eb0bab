"""Tests that cannot fail: stand-ins, comparisons with themselves, swallowed failures; fixtures that empty databases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.testing import (
    asserted_stand_ins,
    compared_with_itself,
    empties_any_database,
    is_named_after,
    sample_lines,
    swallowed_failure,
)
from tests.evidence.effort import hang_guard

# How each framework replaces `fare.total`: the path of the test, and the test.
STAND_INS = {
    "vitest": (
        "fare.test.ts",
        "vi.mock('./fare', () => ({ total: vi.fn(() => 5) }))\nimport { total } from './fare'\n"
        "it('adds', () => expect(total(ride)).toBe(5))\n",
    ),
    "jest": (
        "fare.test.js",
        "jest.mock('./fare');\nconst { total } = require('./fare');\n"
        "test('adds', () => { total.mockReturnValue(5); expect(total(ride)).toBe(5); });\n",
    ),
    "spy": (
        "fare.test.ts",
        "import * as fare from './fare'\nit('adds', () => {\n  vi.spyOn(fare, 'total').mockReturnValue(5)\n"
        "  expect(fare.total(ride)).toBe(5)\n})\n",
    ),
    "patch": (
        "test_fare.py",
        "@patch('shop.fare.total', return_value=5)\ndef test_total(mock_total):\n    assert mock_total(ride) == 5\n",
    ),
    "monkeypatch": (
        "test_fare.py",
        "def test_total(monkeypatch):\n    monkeypatch.setattr(fare, 'total', lambda ride: 5)\n"
        "    assert fare.total(ride) == 5\n",
    ),
    "mockito": (
        "FareTest.java",
        "  @Test void adds() {\n    Fare fare = mock(Fare.class);\n    when(fare.total(any())).thenReturn(5);\n"
        "    assertEquals(5, fare.total(ride));\n  }\n",
    ),
    "mockk": (
        "FareTest.kt",
        "  @Test fun adds() {\n    val fare = mockk<Fare>()\n    every { fare.total(any()) } returns 5\n"
        "    assertEquals(5, fare.total(ride))\n  }\n",
    ),
    "rspec": (
        "fare_spec.rb",
        "  it 'adds' do\n    allow(fare).to receive(:total).and_return(5)\n    expect(fare.total(ride)).to eq 5\n "
        " end\n",
    ),
    "phpunit": (
        "FareTest.php",
        "  public function testAdds(): void {\n    $fare = $this->createMock(Fare::class);\n"
        "    $fare->method('total')->willReturn(5);\n    $this->assertSame(5, $fare->total($ride));\n  }\n",
    ),
    "moq": (
        "FareTests.cs",
        "  [Fact] public void Adds() {\n    var fare = new Mock<IFare>();\n"
        "    fare.Setup(x => x.Total(ride)).Returns(5);\n    Assert.Equal(5, fare.Object.Total(ride));\n  }\n",
    ),
    "gomock": (
        "fare_test.go",
        "func TestTotal(t *testing.T) {\n\tfare := NewMockFare(c)\n\tfare.EXPECT().Total(ride).Return(5)\n"
        "\tassert.Equal(t, 5, fare.Total(ride))\n}\n",
    ),
    "mockall": (
        "fare_test.rs",
        "#[test]\nfn adds() {\n    let mut fare = MockFare::new();\n    fare.expect_total().returning(|_| 5);\n"
        "    assert_eq!(fare.total(&ride), 5);\n}\n",
    ),
}


@pytest.mark.parametrize("name", STAND_INS)
def test_an_assertion_on_a_stand_in_is_seen_in_every_framework(name: str) -> None:
    path, text = STAND_INS[name]
    found = asserted_stand_ins(text)
    assert found, text
    assert is_named_after(path, found[0])
    assert not is_named_after(path.replace("fare", "checkout").replace("Fare", "Checkout"), found[0])


@pytest.mark.parametrize("name", STAND_INS)
def test_a_replaced_neighbour_is_none(name: str) -> None:
    _, text = STAND_INS[name]
    other = text.replace("expect(total(", "expect(checkout(").replace("expect(fare.total(", "expect(checkout.pay(")
    for call in ("mock_total(", "fare.total(", "$fare->total(", "fare.Object.Total(", "fare.Total("):
        head, mark, rest = other.rpartition(call)
        if mark and "ssert" in head.rpartition("\n")[2]:
            other = f"{head}checkout(fare)({rest}"
    assert other != text
    assert not asserted_stand_ins(other), other


def test_a_replacement_ends_with_its_test() -> None:
    text = (
        "class A:\n    def test_a(self):\n        with patch('shop.fare.total', return_value=5):\n            run()\n\n"
        "    def test_b(self):\n        self.assertEqual(fare.total(ride), 5)\n"
    )
    assert not asserted_stand_ins(text)
    assert asserted_stand_ins(text.replace("def test_a", "def setUp"))


ITSELF = (
    "def test_vat():\n    expected = vat(100)\n    assert vat(100) == expected\n",
    "def test_vat():\n    expected = vat(100)\n    result = vat(100)\n    assert result == expected\n",
    "it('adds', () => {\n  const expected = vat(100);\n  expect(vat(100)).toBe(expected);\n})\n",
    "  @Test void vat() {\n    int expected = tax.vat(100);\n    assertEquals(expected, tax.vat(100));\n  }\n",
    "  it 'adds' do\n    expected = vat(100)\n    expect(vat(100)).to eq(expected)\n  end\n",
    "func TestVat(t *testing.T) {\n\twant := Vat(vat(100))\n\tassert.Equal(t, want, Vat(vat(100)))\n}\n".replace(
        "Vat(v", "v(v"
    ),
    "  public function testVat(): void {\n    $expected = vat(100);\n    $this->assertSame($expected, vat(100));\n "
    " }\n",
    "#[test]\nfn adds() {\n    let expected = vat(100);\n    assert_eq!(vat(100), expected);\n}\n",
)


@pytest.mark.parametrize("text", ITSELF)
def test_code_that_is_compared_with_itself_is_seen(text: str) -> None:
    assert compared_with_itself(text), text


@pytest.mark.parametrize("text", ITSELF)
def test_an_expectation_from_elsewhere_is_none(text: str) -> None:
    first, _, rest = text.partition("vat(100)")
    assert not compared_with_itself(f"{first}23{rest}"), "a literal"
    assert not compared_with_itself(f"{first}reference(100){rest}"), "another function"
    assert not compared_with_itself(f"{first}vat(99){rest}"), "another argument"


@pytest.mark.parametrize(
    "name", ["test_is_deterministic", "test_answers_are_cached", "test_round_trip", "test_same_seed"]
)
def test_two_calls_that_have_to_agree_are_compared(name: str) -> None:
    assert not compared_with_itself(f"def {name}():\n    expected = vat(100)\n    assert vat(100) == expected\n")


SWALLOWED = {
    "a.py": (
        "def test_a():\n    try:\n        assert f() == 1\n    except {caught}:\n        {done}\n",
        ("Exception", "AssertionError", "BaseException", "(ValueError, AssertionError)"),
        ("ValueError", "KeyError as e"),
        ("pass", "print('no')", "return"),
        ("raise", "assert e.code == 4", "time.sleep(1)"),
    ),
    "a.test.ts": (
        "it('a', () => {{\n  try {{\n    expect(f()).toBe(1)\n  }} catch ({caught}) {{\n    {done}\n  }}\n}})\n",
        ("e",),
        (),
        ("", "console.log(e)"),
        ("throw e", "expect(e.code).toBe(4)", "fail(e)"),
    ),
    "ATest.java": (
        "@Test void a() {{\n  try {{\n    assertEquals(1, f());\n  }} catch ({caught} e) {{\n    {done}\n  }}\n}}\n",
        ("Throwable", "AssertionError"),
        ("Exception", "IOException"),
        ("", "e.printStackTrace();"),
        ("throw e;", 'assertEquals("x", e.getMessage());'),
    ),
    "ATest.php": (
        "function testA() {{\n  try {{\n    $this->assertSame(1, f());\n  }} catch ({caught} $e) {{\n    {done}\n "
        " }}\n}}\n",
        ("\\Throwable", "Exception"),
        ("HttpError",),
        ("", "error_log($e);"),
        ("throw $e;", "$this->fail($e);"),
    ),
    "ATests.cs": (
        "[Fact] void A() {{\n  try {{\n    Assert.Equal(1, F());\n  }} catch ({caught} e) {{\n    {done}\n  }}\n}}\n",
        ("Exception",),
        ("IOException",),
        ("", "Console.WriteLine(e);"),
        ("throw;", "Assert.Equal(4, e.Code);"),
    ),
}


@pytest.mark.parametrize("path", SWALLOWED)
def test_a_failure_is_swallowed_where_it_is_caught_and_nothing_is_said(path: str) -> None:
    form, caught, others, silent, loud = SWALLOWED[path]
    for each in caught:
        for done in silent:
            assert swallowed_failure(path, form.format(caught=each, done=done)), (each, done)
        for done in loud:
            assert not swallowed_failure(path, form.format(caught=each, done=done)), (each, done)
    for each in others:
        assert not swallowed_failure(path, form.format(caught=each, done=silent[-1])), each


FIXTURES = (
    "engine = create_engine(os.environ['{}'])\nBase.metadata.drop_all(engine)\n",
    "const pool = new Pool({{ connectionString: process.env.{} }})\nbeforeEach(() => pool.query('TRUNCATE orders'))\n",
    "conn = PG.connect(ENV['{}'])\nconn.exec('DROP SCHEMA public CASCADE')\n",
    'db, err := sql.Open("pgx", os.Getenv("{}"))\ndb.Exec("TRUNCATE orders")\n',
    'let pool = connect(&env::var("{}").unwrap());\nsqlx::query("TRUNCATE orders").execute(&pool);\n',
    "$pdo = new PDO(getenv('{}'));\n$pdo->exec('DROP TABLE orders');\n",
)


@pytest.mark.parametrize("text", FIXTURES)
def test_a_fixture_that_empties_what_the_environment_names(text: str) -> None:
    assert empties_any_database(text.format("DATABASE_URL"))
    assert not empties_any_database(text.format("TEST_DATABASE_URL")), "a database of the tests"
    guard = "if '_test' not in url: raise SystemExit\n"
    assert not empties_any_database(guard + text.format("DATABASE_URL")), "it asks which one it is"
    assert not empties_any_database(text.format("DATABASE_URL").partition("\n")[0]), "nothing is emptied"


@given(st.text("adeirsty(){}:=.'\"\n @", max_size=300))
def test_any_text_is_read(text: str) -> None:
    for path in ("a.py", "a.test.ts", "A.java", "a.rb"):
        assert isinstance(swallowed_failure(path, text), str)
    assert isinstance(asserted_stand_ins(text), list)
    assert isinstance(compared_with_itself(text), str)
    assert isinstance(empties_any_database(text), str)


@pytest.mark.parametrize(
    "piece", ["try:\n ", "try {", "it do\n", "expected = f(1)\n", "patch('a.b', ", "when(a.b(", "expect(a.b("]
)
def test_a_hostile_text_ends(piece: str) -> None:
    text = piece * (200_000 // len(piece)) + "mock rescue suppress expect(a.b()) .toBe(1) env"
    with hang_guard():
        for path in ("a.py", "a.test.ts", "a.rb"):
            swallowed_failure(path, text)
        asserted_stand_ins(text)
        compared_with_itself(text)
        empties_any_database(text)


@pytest.mark.parametrize("path", ["a.py", "a.ts", "A.java", "a.php", "a.rs", "a_test.go", "a.rb", "A.cs", "a.cc"])
def test_every_language_has_typical_lines(path: str) -> None:
    assert len(sample_lines(path).splitlines()) > 2
