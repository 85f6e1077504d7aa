"""Texts of the strip that rewrites a piece."""

from __future__ import annotations

from musicrel.presentation.compose import rewrite_form


def test_each_kind_of_model_has_its_explanation() -> None:
    """One cannot look ahead, the other sees both sides."""
    assert "cannot look ahead" in rewrite_form.lookahead_text(sees_both_sides=False)
    assert "before and after" in rewrite_form.lookahead_text(sees_both_sides=True)
