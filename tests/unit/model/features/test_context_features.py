"""Context features compared with a search through the grid, cell by cell."""

from __future__ import annotations

import pytest
import torch

from musicrel.model.features.context_features import ContextFeatures, StepContext
from musicrel.model.features.interval_tables import IMPOSSIBLE, VOICES
from musicrel.tokens.vocabulary import ARTICULATED, MASK, PITCHES, REST_TOKEN

NONE = 2 * PITCHES - 1
OTHERS = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))


def grid(steps: int = 9, seed: int = 0) -> torch.Tensor:
    """Return random tokens, a third of them hidden, some rests: (1, T, 4)."""
    rng = torch.Generator().manual_seed(seed)
    ids = torch.randint(REST_TOKEN, ARTICULATED.size, (1, steps, VOICES), generator=rng)
    hidden = torch.rand(1, steps, VOICES, generator=rng) < 1 / 3
    return ids.masked_fill(hidden, MASK)


def pitch(ids: torch.Tensor, step: int, voice: int) -> int | None:
    """Return the pitch of a cell, None if it is hidden, silent or outside."""
    if not 0 <= step < ids.shape[1] or int(ids[0, step, voice]) <= REST_TOKEN:
        return None
    return (int(ids[0, step, voice]) - ARTICULATED.first_onset) % PITCHES


def distance(first: int | None, second: int | None) -> int:
    """Return the row of a distance."""
    return NONE if first is None or second is None else second - first + PITCHES - 1


def nearest(ids: torch.Tensor, step: int, voice: int, motion_kind: int) -> tuple[int | None, int]:
    """Return the nearest known pitch of a voice in one direction, and its distance in steps."""
    for away in range(1, ids.shape[1]):
        found = pitch(ids, step + motion_kind * away, voice)
        if found is not None:
            return found, min(away, 31)
    return None, 0


def context_of(ids: torch.Tensor, key: int | None = None) -> StepContext:
    """Return the context of all of ``ids``; the key is the only condition."""
    conditions_BTC = torch.zeros(1, ids.shape[1], 1, dtype=torch.int64) + (key or 0)
    found: StepContext = ContextFeatures(ARTICULATED.size, None if key is None else 0)(
        ids, conditions_BTC
    )
    return found


def test_distances_are_relative_to_the_nearest_known_pitches() -> None:
    """The twelve cells context_of from both sides, and the numbers of steps."""
    ids = grid()
    found = context_of(ids).context[0]
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
    """The interval to the next of the three, with rows of their own for every voice."""
    ids = grid(seed=2)
    found = context_of(ids).chords[0, ..., 0]
    for step in range(ids.shape[1]):
        for voice in range(VOICES):
            chord = [pitch(ids, step, other) for other in OTHERS[voice]]
            for place in range(3):
                first = (voice * 3 + place) * 2 * PITCHES
                expected = first + distance(chord[place], chord[place - 1])
                assert int(found[step, voice, place]) == expected


def test_others_have_rows_of_interval_and_motion() -> None:
    """An alto a fifth below a soprano that rises two semitones, and vice versa."""
    ids = torch.full((1, 2, VOICES), MASK)
    ids[0, 0, 0], ids[0, 0, 1], ids[0, 1, 0], ids[0, 1, 1] = 37, 30, 39, 31
    motions = context_of(ids).motions[0, 1]
    assert divmod(int(motions[1, 0, 0]), 26) == (7, 12 + 2)
    assert divmod(int(motions[0, 0, 0]), 26) == (12 + 7, 12 + 1)


def test_pitches_have_distances_from_own_and_other_notes() -> None:
    """The row of every pitch for each reference; none for an unknown reference."""
    ids = grid(seed=1)
    found = context_of(ids).pitch_distances[0]
    for step in range(ids.shape[1]):
        for voice in range(VOICES):
            own = [nearest(ids, step, voice, motion_kind)[0] for motion_kind in (-1, 1)]
            references = own + [pitch(ids, step, other) for other in OTHERS[voice]]
            for place, reference in enumerate(references):
                expected = [distance(reference, one) for one in range(PITCHES)]
                assert found[step, voice, place].tolist() == expected


def test_moving_all_notes_changes_no_distance() -> None:
    """Context, distances and motions are the same in every key."""
    ids = torch.randint(ARTICULATED.first_onset + 10, ARTICULATED.first_onset + 30, (1, 6, VOICES))
    ids[0, 2, 1] = ids[0, 4, :3] = MASK
    motions = torch.where(ids == MASK, MASK, ids + 7)
    here, there = context_of(ids), context_of(motions)
    assert torch.equal(here.context, there.context)
    assert torch.equal(here.motions, there.motions)


@pytest.mark.parametrize(
    ("before", "after", "possible"),
    [
        (MASK, MASK, "all"),
        (ARTICULATED.first_onset + 3, MASK, "onsets, rest and the hold of 3"),
        (REST_TOKEN, MASK, "onsets and rest"),
        (MASK, ARTICULATED.first_hold + 3, "3 alone"),
    ],
)
def test_adjacent_holds_rule_out_other_pitches(before: int, after: int, possible: str) -> None:
    """A hold continues the pitch before it, and nothing else can precede it."""
    ids = torch.full((1, 3, VOICES), MASK)
    ids[0, 0, 0], ids[0, 2, 0] = before, after
    added = context_of(ids).impossible[0, 1, 0]
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
    """In G major (row 8) G is the first degree; minor keys have rows of their own."""
    ids = grid()
    g = 7 + 12
    assert context_of(ids, key=8).degrees is not None
    assert [int(context_of(ids, key=key).degrees[0, 0, 0, g]) for key in (0, 8, 20)] == [24, 0, 12]  # type: ignore[index]  # just seen
