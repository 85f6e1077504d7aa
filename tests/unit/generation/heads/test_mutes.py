"""Heads and muted heads: their names, texts and order."""

from __future__ import annotations

import pytest

from musicrel.errors import UsageError
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes


def test_a_head_is_named_from_one() -> None:
    assert str(Head(1, 2)) == "Layer 2, head 3"
    assert Head(1, 2).code == "2.3"


def test_a_whole_layer_is_named_without_a_head() -> None:
    assert str(Head(3, WHOLE)) == "Layer 4"
    assert Head(3, WHOLE).code == "4"


def test_a_text_names_heads_and_layers() -> None:
    assert Mutes.parse("4, 2.3").heads == (Head(1, 2), Head(3, WHOLE))


def test_the_text_of_mutes_is_in_order_without_heads_of_a_whole_layer() -> None:
    assert str(Mutes.parse("4,2.3,4.1,2.3,2.1")) == "2.1,2.3,4"


def test_an_empty_text_mutes_nothing() -> None:
    assert not Mutes.parse(" ")
    assert str(Mutes()) == ""


def test_mutes_of_one_head_are_true() -> None:
    assert Mutes.parse("1.1", "zero") == Mutes((Head(0, 0),), "zero")
    assert Mutes.parse("1.1")


@pytest.mark.parametrize("text", ["x", "2.0", "0", "2.", "2.3,,4", "-1", "2,3.1.1"])
def test_another_text_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(UsageError, match=r"cannot read the head .*: expected layer and head"):
        Mutes.parse(text)


def test_another_replacement_is_refused() -> None:
    with pytest.raises(UsageError, match="replaced by 'noise': expected mean or zero"):
        Mutes.parse("1.1", "noise")


def test_layers_are_expanded_into_their_heads() -> None:
    expected = (Head(0, 1), Head(1, 0), Head(1, 1))
    assert Mutes.parse("2,1.2").expanded(layers=2, heads=2) == expected


@pytest.mark.parametrize("text", ["3", "3.1", "1.3"])
def test_a_head_that_the_model_does_not_have_is_refused(text: str) -> None:
    expected = rf"no head {text}: expected layers 1 to 2 and heads 1 to 2"
    with pytest.raises(UsageError, match=expected):
        Mutes.parse(text).expanded(layers=2, heads=2)


def test_a_head_is_muted_by_itself_or_with_its_layer() -> None:
    mutes = Mutes.parse("1.2,2")
    assert Head(0, 1) in mutes
    assert Head(1, 0) in mutes
    assert Head(0, 0) not in mutes


def test_a_head_is_muted_and_unmuted() -> None:
    once = Mutes(by="zero").toggled(Head(0, 1), layers=2, heads=2)
    assert once == Mutes((Head(0, 1),), "zero")
    assert once.toggled(Head(0, 1), layers=2, heads=2) == Mutes(by="zero")


def test_the_last_head_of_a_layer_completes_it() -> None:
    mutes = Mutes.parse("1.1").toggled(Head(0, 1), layers=2, heads=2)
    assert str(mutes) == "1"


def test_a_layer_of_which_a_head_is_unmuted_keeps_the_others() -> None:
    assert str(Mutes.parse("1").toggled(Head(0, 0), layers=2, heads=3)) == "1.2,1.3"


def test_a_layer_is_muted_and_unmuted_as_a_whole() -> None:
    layer = Head(1, WHOLE)
    mutes = Mutes.parse("2.2").toggled(layer, layers=2, heads=2)
    assert str(mutes) == "2"
    assert not mutes.toggled(layer, layers=2, heads=2)


def test_plain_values_are_read_back() -> None:
    mutes = Mutes.parse("2.3,4", "zero")

    assert Mutes.from_json(mutes.to_json()) == mutes
    assert Mutes().to_json() == {}
    assert Mutes.from_json({"bars": 4}) == Mutes()
