"""Reduced motion while music plays."""

from __future__ import annotations

import pytest

from musicrel.ui.app_controller import AppController
from tests.helpers.sound import ManualOutput
from tests.ui.controllers.test_playback_controller import sound
from tests.ui.controllers.user_actions import show_chords

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_playhead_goes_from_beat_to_beat(
    app_controller: AppController, output: ManualOutput
) -> None:
    """Once the music stops, it is where the music is, and again at every frame if preferred."""
    show_chords(app_controller, tempo=60)
    playback, player = app_controller.playback, app_controller.player
    app_controller.preferences.remember(motion="reduced")
    playback.toggle()
    sound(player, output, 1.6)
    playback.tick()

    assert player.position == pytest.approx(6.4, abs=0.01)
    assert playback.playhead.step == 4.0

    app_controller.preferences.remember(motion="full")
    playback.tick()
    assert playback.playhead.step == pytest.approx(player.position)

    app_controller.preferences.remember(motion="reduced")
    playback.toggle()
    assert playback.playhead.step == pytest.approx(player.position)
