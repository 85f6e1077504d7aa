"""What stands around a note, compared with going through the grid cell by cell."""

from __future__ import annotations

import pytest
import torch

from musicrel.model.features.context_features import VOICES, Around, Surroundings
from musicrel.model.features.interval_tables import IMPOSSIBLE
from musicrel.tokens.vocabulary import ARTICULATED, MASK, PITCHES, REST_TOKEN

NONE = 2 * PITCHES - 1
OTHERS = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def grid(steps: int = 9, seed: int = 0) -> torch.Tensor:
    """Tokens by chance, a third of them hidden, some rests: (1, T, 4)."""
    rng = torch.Generator().manual_seed(seed)
    ids = torch.randint(REST_TOKEN, ARTICULATED.size, (1, steps, VOICES), generator=rng)
    hidden = torch.rand(1, steps, VOICES, generator=rng) < 1 / 3
    return ids.masked_fill(hidden, MASK)


def pitch(ids: torch.Tensor, step: int, voice: int) -> int | None:
    """The pitch of a cell, None where it is hidden, silent or outside."""
    if not 0 <= step < ids.shape[1] or int(ids[0, step, voice]) <= REST_TOKEN:
        return None
    return (int(ids[0, step, voice]) - ARTICULATED.first_onset) % PITCHES


def distance(first: int | None, second: int | None) -> int:
    """The row of a distance."""
    return NONE if first is None or second is None else second - first + PITCHES - 1


def nearest(ids: torch.Tensor, step: int, voice: int, way: int) -> tuple[int | None, int]:
    """The nearest known pitch of a voice in one direction, and how far it is."""
    for away in range(1, ids.shape[1]):
        found = pitch(ids, step + way * away, voice)
        if found is not None:
            return found, min(away, 31)
    return None, 0


def around(ids: torch.Tensor, key: int | None = None) -> Around:
    """What stands around all of ``ids``; the key is the only condition."""
    told = torch.zeros(1, ids.shape[1], 1, dtype=torch.int64) + (key or 0)
    found: Around = Surroundings(ARTICULATED.size, None if key is None else 0)(ids, told)
    return found


def test_every_voice_hears_from_its_nearest_known_pitches() -> None:
    """Cell by cell: the twelve cells around from both sides, and how far away they are."""
    ids = grid()
    found = around(ids).heard[0]
    for step in range(ids.shape[1]):
        cells = [pitch(ids, step + to, voice) for to in (-1, 0, 1) for voice in range(VOICES)]
        for voice in range(VOICES):
            before, since = nearest(ids, step, voice, -1)
            after, until = nearest(ids, step, voice, 1)
            rows = [distance(own, cell) for own in (before, after) for cell in cells]
            first = voice * (24 * 2 * PITCHES + 2 * 32)
            expected = [first + slot * 2 * PITCHES + row for slot, row in enumerate(rows)]
            expected += [
                first + 24 * 2 * PITCHES + 32 * side + away
                for side, away in enumerate((since, until))
            ]
            assert found[step, voice].tolist() == expected


def test_the_chord_of_the_others_is_seen_from_each_of_them() -> None:
    """The interval to the next of the three, in tables of their own for every voice."""
    ids = grid(seed=2)
    found = around(ids).chords[0, ..., 0]
    for step in range(ids.shape[1]):
        for voice in range(VOICES):
            chord = [pitch(ids, step, other) for other in OTHERS[voice]]
            for place in range(3):
                first = (voice * 3 + place) * 2 * PITCHES
                expected = first + distance(chord[place], chord[place - 1])
                assert int(found[step, voice, place]) == expected


def test_others_are_known_by_where_they_stood_and_how_they_move() -> None:
    """An alto a fifth below a soprano that rises by two semitones, and the other way round."""
    ids = torch.full((1, 2, VOICES), MASK)
    ids[0, 0, 0], ids[0, 0, 1], ids[0, 1, 0], ids[0, 1, 1] = 37, 30, 39, 31
    moved = around(ids).moved[0, 1]
    assert divmod(int(moved[1, 0, 0]), 26) == (7, 12 + 2)
    assert divmod(int(moved[0, 0, 0]), 26) == (12 + 7, 12 + 1)


def test_pitches_are_said_as_distances_from_own_and_other_notes() -> None:
    """For each reference the row of every pitch; none where the reference is not known."""
    ids = grid(seed=1)
    found = around(ids).said[0]
    for step in range(ids.shape[1]):
        for voice in range(VOICES):
            own = [nearest(ids, step, voice, way)[0] for way in (-1, 1)]
            references = own + [pitch(ids, step, other) for other in OTHERS[voice]]
            for place, reference in enumerate(references):
                expected = [distance(reference, one) for one in range(PITCHES)]
                assert found[step, voice, place].tolist() == expected


def test_moving_all_notes_changes_no_distance() -> None:
    """What is heard, said relatively and moved is the same in every key."""
    ids = torch.randint(ARTICULATED.first_onset + 10, ARTICULATED.first_onset + 30, (1, 6, VOICES))
    ids[0, 2, 1] = ids[0, 4, :3] = MASK
    moved = torch.where(ids == MASK, MASK, ids + 7)
    here, there = around(ids), around(moved)
    assert torch.equal(here.heard, there.heard)
    assert torch.equal(here.moved, there.moved)


@pytest.mark.parametrize(
    ("before", "after", "possible"),
    [
        (MASK, MASK, "all"),
        (ARTICULATED.first_onset + 3, MASK, "onsets, rest and the hold of 3"),
        (REST_TOKEN, MASK, "onsets and rest"),
        (MASK, ARTICULATED.first_hold + 3, "3 alone"),
    ],
)
def test_holds_beside_a_note_rule_others_out(before: int, after: int, possible: str) -> None:
    """A hold goes on with the pitch before it, and nothing else can stand before it."""
    ids = torch.full((1, 3, VOICES), MASK)
    ids[0, 0, 0], ids[0, 2, 0] = before, after
    added = around(ids).impossible[0, 1, 0]
    onsets = set(range(REST_TOKEN, ARTICULATED.first_hold))
    holds = set(range(ARTICULATED.first_hold, ARTICULATED.size))
    expected = {
        "all": onsets | holds,
        "onsets, rest and the hold of 3": onsets | {ARTICULATED.first_hold + 3},
        "onsets and rest": onsets,
        "3 alone": {ARTICULATED.first_onset + 3, ARTICULATED.first_hold + 3},
    }[possible]
    found = {token for token in range(REST_TOKEN, ARTICULATED.size) if not added[token]}
    assert found == expected
    assert set(added.tolist()) <= {0.0, IMPOSSIBLE}


def test_degrees_are_counted_from_the_tonic() -> None:
    """In G major (row 8) a G is the first degree, a minor key has rows of its own."""
    ids = grid()
    g = 7 + 12
    assert around(ids, key=8).degrees is not None
    assert [int(around(ids, key=key).degrees[0, 0, 0, g]) for key in (0, 8, 20)] == [24, 0, 12]  # type: ignore[index]  # just seen
