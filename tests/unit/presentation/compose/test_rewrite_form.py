"""Texts of the strip that rewrites a piece."""

from __future__ import annotations

from musicrel.chorale import Chorale
from musicrel.presentation.compose import rewrite_form
from musicrel.presentation.compose.form import Form, RequestBuilder


def test_each_kind_of_model_has_its_explanation() -> None:
    """One reads on in several versions, the other sees both sides."""
    assert "reads on" in rewrite_form.lookahead_text(sees_both_sides=False)
    assert "before and after" in rewrite_form.lookahead_text(sees_both_sides=True)


def test_only_without_a_search_a_causal_model_does_not_look_ahead() -> None:
    """A passage at the end of a piece has nothing ahead."""
    piece = Chorale.of([(72, 67, 64, 48)] * 16)
    first, last = piece.onsets.copy(), piece.onsets.copy()
    first[8:], last[:8] = False, False
    last[8:] = True
    for quality, temperature, is_blind in (
        ("normal", 1.0, False),
        ("draft", 1.0, True),
        ("high", 0.0, True),
    ):
        form = Form(model="a", quality=quality, temperature=temperature)
        passage = RequestBuilder(form=form, piece=piece, free=first)
        ending = RequestBuilder(form=form, piece=piece, free=last)
        assert bool(rewrite_form.remark(passage, sees_both_sides=False)) == is_blind
        assert not rewrite_form.remark(passage, sees_both_sides=True)
        assert not rewrite_form.remark(ending, sees_both_sides=False)
