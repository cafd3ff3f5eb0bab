"""What assertions ask, in every framework: a weaker one about the same result is seen, a strict one in other words is
not."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervisor.evidence.testing import Strength, assertions, weaker_assertion
from tests.evidence.effort import hang_guard

# Of each framework: assertions that one result is right, and assertions that hardly ask anything about it.
FRAMEWORKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "pytest": (
        ("assert total(cart) == 3", "assert total(cart) == approx(3)", "assert 3 == total(cart)"),
        ("assert total(cart) > 0", "assert total(cart)", "assert total(cart) is not None", "assert total(cart) != 4"),
    ),
    "unittest": (
        ("self.assertEqual(total(cart), 3)", "self.assertEqual(3, total(cart))"),
        ("self.assertTrue(total(cart))", "self.assertIsNotNone(total(cart))", "self.assertGreater(total(cart), 0)"),
    ),
    "jest": (
        (
            "expect(total(cart)).toBe(3);",
            "expect(total(cart)).toEqual(3);",
            "expect(await total(cart)).toStrictEqual(3);",
        ),
        (
            "expect(total(cart)).toBeDefined();",
            "expect(total(cart)).toBeTruthy();",
            "expect(total(cart)).not.toBeNull();",
            "expect(total(cart)).toBeGreaterThan(0);",
        ),
    ),
    "chai": (
        ("expect(total(cart)).to.equal(3);", "expect(total(cart)).to.eql(3);"),
        (
            "expect(total(cart)).to.be.above(0);",
            "expect(total(cart)).to.exist;",
            "expect(total(cart)).to.not.equal(4);",
        ),
    ),
    "node": (
        ("assert.strictEqual(total(cart), 3);", "assert.deepEqual(total(cart), 3);"),
        ("assert.notStrictEqual(total(cart), 4);",),
    ),
    "junit": (
        ("assertEquals(3, cart.total());", "assertThat(cart.total()).isEqualTo(3);"),
        (
            "assertNotNull(cart.total());",
            "assertTrue(cart.total() > 0);",
            "assertThat(cart.total()).isPositive();",
            "assertThat(cart.total()).isNotNull();",
        ),
    ),
    "kotest": (("cart.total() shouldBe 3",), ("cart.total() shouldNotBe null",)),
    "rspec": (
        ("expect(cart.total).to eq(3)", "expect(cart.total).to eq 3", "expect(cart.total).to eql(3)"),
        ("expect(cart.total).to be > 0", "expect(cart.total).not_to be_nil", "expect(cart.total).to be_positive"),
    ),
    "minitest": (("assert_equal 3, cart.total",), ("assert cart.total", "assert_not_nil cart.total")),
    "phpunit": (
        ("$this->assertSame(3, $cart->total());", "$this->assertEquals(3, $cart->total());"),
        ("$this->assertNotNull($cart->total());", "$this->assertIsInt($cart->total());"),
    ),
    "pest": (("expect($cart->total())->toBe(3);",), ("expect($cart->total())->toBeInt();",)),
    "testify": (
        ("require.Equal(t, 3, Total(cart))", "assert.Equal(t, 3, Total(cart))"),
        ("require.NotNil(t, Total(cart))", "assert.Greater(t, Total(cart), 0)"),
    ),
    "go": (
        ('if got := Total(cart); got != 3 {\n\tt.Errorf("got %d", got)',),
        ('if got := Total(cart); got <= 0 {\n\tt.Errorf("got %d", got)',),
    ),
    "rust": (("assert_eq!(total(&cart), 3);",), ("assert!(total(&cart) > 0);", "assert_ne!(total(&cart), 4);")),
    "xunit": (
        ("Assert.Equal(3, cart.Total());", "Assert.AreEqual(3, cart.Total());"),
        ("Assert.NotNull(cart.Total());", "Assert.True(cart.Total() > 0);"),
    ),
    "fluent": (("cart.Total().Should().Be(3);",), ("cart.Total().Should().BePositive();",)),
    "gtest": (("EXPECT_EQ(total(cart), 3);",), ("EXPECT_GT(total(cart), 0);", "EXPECT_NE(total(cart), 4);")),
    "xctest": (("XCTAssertEqual(cart.total, 3)",), ("XCTAssertNotNil(cart.total)",)),
}


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_each_assertion_asks_what_its_framework_says(name: str) -> None:
    exact, loose = FRAMEWORKS[name]
    for text in exact:
        assert [each.strength for each in assertions(text)] == [Strength.EQUAL], text
    for text in loose:
        assert max(each.strength for each in assertions(text)) < Strength.EQUAL, text


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_a_weaker_assertion_is_seen_and_a_strict_one_is_not(name: str) -> None:
    exact, loose = FRAMEWORKS[name]
    for one, other in itertools.product(exact, loose):
        assert weaker_assertion(f"    {one}\n", f"    {other}\n"), (one, other)
        assert not weaker_assertion(f"    {other}\n", f"    {one}\n"), (other, one)
        assert not weaker_assertion(f"    {one}\n", f"    {one}\n    {other}\n"), "a weaker one beside it"
    for one, other in itertools.permutations(exact, 2):
        assert not weaker_assertion(f"    {one}\n", f"    {other}\n"), (one, other)
    for one in exact:
        assert not weaker_assertion(one, one.replace("3", "4")), "another expectation is no weaker one"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("assert f(1) == approx(1080)", "assert f(1) == approx(1080, abs=5000)"),
        ("expect(f(1)).toBeCloseTo(1080, 2)", "expect(f(1)).toBeCloseTo(1080, -4)"),
        ("assert len(rows) == 14", "assert len(rows) > 0"),
        ("assert len(rows) == 14", "assert rows"),
        ("assert result == {'a': 1}", "assert isinstance(result, dict)"),
    ],
)
def test_other_ways_to_ask_less(before: str, after: str) -> None:
    assert weaker_assertion(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("assert f(1) == [1, 2]", "assert sorted(f(1)) == [1, 2]"),
        ("assert f(1) == 3.14159", "assert f(1) == approx(3.14159)"),
        ("assert f(1) == True", "assert f(1)"),
        ("assert 3 <= f() <= 4", "assert 3 <= f() <= 5"),
        ("assert f(1) == 3", "assert g(2) > 0"),
        ("assertTrue(x.equals(y))", "assertEquals(x, y)"),
        ("assert f(1) == approx(10, abs=0.1)", "assert f(1) == approx(10, abs=0.2)"),
    ],
)
def test_what_asks_as_much(before: str, after: str) -> None:
    assert not weaker_assertion(before, after)


@given(st.text("aefrst(=).>!'\"\n 13", max_size=200), st.text("aefrst(=).>!'\"\n 13", max_size=200))
def test_any_texts_are_compared(before: str, after: str) -> None:
    assert weaker_assertion(before, before) == ""
    assert isinstance(weaker_assertion(before, after), str)


@pytest.mark.parametrize(
    "piece", ["assertEqual(", "expect(f(", "assert x == (", "if x {\n t.Error", "expect(a).not.", "try {"]
)
def test_a_hostile_text_ends(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    with hang_guard():
        weaker_assertion(text, text[: len(text) // 2])
        assertions(text)
