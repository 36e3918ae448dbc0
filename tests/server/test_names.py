"""Names as others can read them."""

import pytest

from kubli.server.errors import Problem
from kubli.server.names import name, talk


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ana", "Ana"),
        ("  Ana   Cruz\t", "Ana Cruz"),
        ("Ana\u00a0B", "Ana B"),
        ("e\u0301", "\u00e9"),
        ("Zoë 🐻", "Zoë 🐻"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("한국어", "한국어"),
        ("<b>", "<b>"),
        ("x" * 32, "x" * 32),
        ("👍🏽" * 32, "👍🏽" * 32),
        ("नमस्ते", "नमस्ते"),
        ("Łukasz-Ño!", "Łukasz-Ño!"),
        ("👩🏽\u200d❤\ufe0f\u200d👨🏽" * 20, "👩🏽\u200d❤\ufe0f\u200d👨🏽" * 20),
        ("👨\u200d👩\u200d👧\u200d👦", "👨\u200d👩\u200d👧\u200d👦"),
        ("ශ්\u200dරී", "ශ්\u200dරී"),
        ("می\u200cکنم", "می\u200cکنم"),
    ],
)
def test_a_name_is_kept(given: str, kept: str) -> None:
    assert name(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "\n\t",
        "x" * 33,
        "🐻" * 33,
        "a\u0000b",
        "a\u0007",
        "a\u202eb",
        "a\u2066b",
        "\u200f",
        "a\u200bb",
        "a\u00adb",
        "\ufeffAna",
        "\u2800",
        "\u3164",
        "\u115f",
        "\ud800",
        "\ue000",
        "\U000e0041",
        "a" + "\u0301" * 300,
        "\u0301" * 3,
        "x" * 100_000,
        "A\u200dna",
        "A\u200cna",
        "🐻\u200d",
        "🐻\u200dA",
        "علی\u200d",
        "a" + "\u0302" * 7,
    ],
)
def test_a_name_is_refused(given: str) -> None:
    with pytest.raises(Problem) as refused:
        name(given)
    assert refused.value.status == 422
    assert refused.value.code in ("name_bad", "name_missing", "name_too_long")
    assert len(refused.value.say) < 120


def test_talk_is_longer_and_as_strict() -> None:
    assert talk("Well played, Ana!", 500) == "Well played, Ana!"
    for given in ("", "x" * 501, "a\u202eb"):
        with pytest.raises(Problem):
            talk(given, 500)
