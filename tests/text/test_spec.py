"""text/spec.py: names and fields in text, and one clear line for what is wrong."""

from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from undercut.text.errors import NotationError, OptionsError, UndercutError
from undercut.text.spec import Option, join_fields, one_of, options_of, replace_fields, split_spec

words = st.text(st.characters(categories=("Ll", "Nd")), min_size=1, max_size=8)


class Settings(NamedTuple):
    samples: Annotated[int, Option(1, 100, "hands that are tried")] = 10
    weight: Annotated[float, Option(0.0, 2.0, "how much they count", "G 5")] = 1.5


class Loaded(NamedTuple):
    samples: Annotated[int, Option(0, 1, "whether to sample at all")] = 0
    weights: Any = None


@given(words, st.dictionaries(words, words, max_size=4))
def test_a_spec_is_a_name_and_its_fields(name: str, fields: dict[str, str]) -> None:
    text = name + ":" * bool(fields) + ",".join(f"{key}={value}" for key, value in fields.items())
    assert split_spec(text) == (name, fields)


def test_spaces_do_not_matter() -> None:
    assert split_spec(" search : samples = 20 , depth=2 ") == split_spec(
        "search :samples=20,depth=2"
    )


def test_a_value_may_hold_a_sign_of_equality() -> None:
    assert split_spec("a:b=c=d") == ("a", {"b": "c=d"})


@pytest.mark.parametrize("text", ["a:b", "a:=c", "a:b=", "a:b=1,,c=2", "a:b=1,", "a:,"])
def test_a_field_is_written_field_equals_value(text: str) -> None:
    with pytest.raises(NotationError, match="not a field") as caught:
        split_spec(text)
    assert repr(text) in str(caught.value)


def test_a_field_may_not_stand_twice() -> None:
    with pytest.raises(NotationError, match="the field 'b' stands twice in 'a:b=1,b=2'"):
        split_spec("a:b=1,b=2")


def test_fields_replace_defaults_and_keep_their_kind() -> None:
    replaced = replace_fields(Settings(), {"samples": "20"}, "search")
    assert replaced == Settings(20, 1.5)
    replaced = replace_fields(Settings(), {"weight": "1"}, "search")
    assert replaced == Settings(10, 1.0)
    assert isinstance(replaced.weight, float)
    assert replace_fields(Settings(), {}, "search") == Settings()


@pytest.mark.parametrize(
    ("word", "number"), [("true", 1), ("Yes", 1), ("on", 1), ("false", 0), ("NO", 0), ("off", 0)]
)
def test_truth_values_may_be_words(word: str, number: int) -> None:
    assert replace_fields(Loaded(), {"samples": word}, "search").samples == number


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"depth": "2"}, "unknown option 'depth' of search: one of samples, weight"),
        ({"samples": "many"}, "samples=many: not a whole number from 1 to 100"),
        ({"samples": "2.5"}, "samples=2.5: not a whole number"),
        ({"samples": "0"}, "samples=0: must be from 1 to 100"),
        ({"samples": "101"}, "samples=101: must be from 1 to 100"),
        ({"weight": "heavy"}, "weight=heavy: not a number from 0.0 to 2.0"),
        ({"weight": "nan"}, "weight=nan: must be from 0.0 to 2.0"),
        ({"weight": "-0.1"}, "weight=-0.1: must be from 0.0 to 2.0"),
    ],
)
def test_what_is_wrong_is_named_with_what_is_allowed(fields: dict[str, str], message: str) -> None:
    with pytest.raises(OptionsError) as caught:
        replace_fields(Settings(), fields, "search")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_field_without_an_option_cannot_be_given_as_text() -> None:
    with pytest.raises(OptionsError, match="unknown option 'weights' of search: one of samples"):
        replace_fields(Loaded(), {"weights": "1"}, "search")


def test_joined_settings_keep_what_their_parts_declare() -> None:
    class Depth(NamedTuple):
        depth: Annotated[int, Option(0, 9, "moves ahead")] = 2
        network: Any = None

    joined = join_fields("Joined", Settings, Depth)
    assert list(options_of(joined)) == ["samples", "weight", "depth"]
    assert options_of(joined)["weight"].meaning == "how much they count [G 5]"
    assert replace_fields(joined(), {"depth": "9"}, "search").depth == 9
    with pytest.raises(OptionsError, match="depth=10: must be from 0 to 9"):
        replace_fields(joined(), {"depth": "10"}, "search")


def test_our_errors_are_value_errors() -> None:
    for error in UndercutError.__subclasses__():
        assert issubclass(error, ValueError)


def test_one_of_lists_names() -> None:
    assert one_of(["a", "b"]) == "one of a, b"
    assert one_of([]) == ""
