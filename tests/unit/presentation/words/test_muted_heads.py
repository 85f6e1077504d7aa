"""Muted heads of several models."""

from __future__ import annotations

from musicrel.chorale import Provenance
from musicrel.generation.heads.mutes import Mutes
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words import muted_heads
from musicrel.presentation.words.muted_heads import MutedHeads

_HEADS = Mutes.parse("2.3,4")
_OTHERS = Mutes.parse("1.1", "zero")


def test_each_model_has_its_own() -> None:
    """Heads of another model have the same numbers, and nothing else in common."""
    muted = MutedHeads().with_mutes("relative", _HEADS).with_mutes("vanilla", _OTHERS)

    assert (muted.of("relative"), muted.of("vanilla"), muted.of("x")) == (_HEADS, _OTHERS, Mutes())


def test_a_model_whose_heads_are_all_unmuted_has_no_entry() -> None:
    """The form is the same as before."""
    muted = MutedHeads().with_mutes("relative", _HEADS).with_mutes("relative", Mutes())

    assert muted == MutedHeads()


def test_a_request_has_the_muted_heads_of_its_model() -> None:
    """Those of the other model do not count."""
    muted = MutedHeads().with_mutes("relative", _HEADS)

    assert Form(model="relative", bars=2, muted=muted).request().mutes == _HEADS
    assert Form(model="vanilla", bars=2, muted=muted).request().mutes == Mutes()


def test_each_model_has_a_remark() -> None:
    """It has the heads in short, and its meaning in words."""
    muted = MutedHeads().with_mutes("vanilla", _OTHERS).with_mutes("relative", _HEADS)

    remarks = list(muted.remarks())

    assert [words for words, _ in remarks] == [
        "Model relative will write with head 2.3 and layer 4 muted",
        "Model vanilla will write with head 1.1 muted (by zero)",
    ]
    assert remarks[0][1].startswith("Layer 2, head 3, Layer 4: replaced by their mean output")


def test_a_piece_with_damaged_settings_names_no_heads() -> None:
    """It can still be shown."""
    damaged = Provenance(model="relative", sha256="", seed=1, settings={"mute": "x"})

    assert muted_heads.in_piece(damaged) == muted_heads.in_piece(None) == ""
