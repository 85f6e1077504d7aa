"""Fields for the weights of the ranking."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.generation.candidates import ranking
from musicrel.model import catalogue
from musicrel.ui.compose.weight_fields import WeightFields


def shown(qtbot: QtBot) -> WeightFields:
    fields = WeightFields()
    qtbot.addWidget(fields)
    return fields


def test_the_critic_has_a_weight_like_every_term(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its default is 0, as the tooltip explains; another value is used."""
    monkeypatch.setattr(catalogue, "critic", lambda: Path("models/critic"))
    fields = shown(qtbot)
    assert fields.values() == {name: term.weight for name, term in ranking.TERMS.items()}
    assert fields.values()["critic"] == 0.0
    with qtbot.waitSignal(fields.changed):
        fields.fields["critic"].setValue(0.05)
    assert fields.values()["critic"] == 0.05
    assert "not counted by default" in fields.fields["critic"].toolTip()


def test_without_a_critic_its_field_is_disabled_with_a_reason(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its weight is 0, also after a reset."""
    monkeypatch.setattr(catalogue, "critic", lambda: None)
    fields = shown(qtbot)
    fields.reset.click()
    critic = fields.fields["critic"]
    assert not critic.isEnabled()
    assert critic.value() == 0.0
    assert "'critic' is missing" in critic.toolTip()
    assert fields.fields["nats"].isEnabled()
