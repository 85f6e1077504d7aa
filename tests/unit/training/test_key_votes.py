"""The election of a key."""

from __future__ import annotations

import numpy as np

from musicrel.chorale import Chorale, Key
from training import key_votes

C_MAJOR_CADENCE = np.array(
    [[72, 67, 64, 48], [69, 65, 60, 53], [71, 67, 62, 55], [72, 67, 64, 48]], dtype=np.int16
)
ENDS_ON_E = np.array(
    [[72, 69, 64, 45], [74, 69, 65, 50], [72, 69, 64, 45], [71, 68, 64, 52]], dtype=np.int16
)


def test_notes_and_last_bass_outvote_the_file() -> None:
    """A careless mode in the file does not matter."""
    assert key_votes.elect_key(C_MAJOR_CADENCE, Key("A", "minor")) == Key("C", "major")


def test_without_a_mode_in_the_file_the_notes_decide() -> None:
    """The correlation names the key."""
    assert key_votes.elect_key(C_MAJOR_CADENCE, None) == Key("C", "major")


def test_a_half_close_does_not_move_the_key() -> None:
    """If the bass ends on the fifth degree the file decides."""
    assert key_votes.elect_key(ENDS_ON_E, Key("A", "minor")) == Key("A", "minor")


def test_the_agreement_with_printed_keys_is_counted() -> None:
    """Of C B C and E F E the correlation finds no key; both estimates are C major."""
    tunes = [
        Chorale.of([(pitch, -1, -1, -1) for pitch in line], key=Key("C", "major"))
        for line in ((60, 59, 60), (64, 65, 64))
    ]
    assert key_votes.agreement(tunes) == (0, 2)
