"""Features of the context and of what lies ahead against searches through the piece."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from musicrel.model.features.context_features import ContextFeatures, StepContext
from musicrel.model.features.interval_tables import IMPOSSIBLE, VOICES
from musicrel.model.features.intervals import Lookahead
from musicrel.model.tokens.vocabulary import ARTICULATED, MASK, PITCHES, REST_TOKEN

NONE = 2 * PITCHES - 1
OTHERS = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
PARTS, KEY, GIVEN = 4, 1, 2
NO_PITCH = PITCHES


def grid(steps: int = 9, seed: int = 0) -> torch.Tensor:
    """Return random tokens, a third of them hidden, some rests: (1, T, 4)."""
    rng = torch.Generator().manual_seed(seed)
    ids = torch.randint(REST_TOKEN, ARTICULATED.size, (1, steps, VOICES), generator=rng)
    hidden = torch.rand(1, steps, VOICES, generator=rng) < 1 / 3
    return ids.masked_fill(hidden, MASK)


def pitch(ids: torch.Tensor, step: int, voice: int) -> int | None:
    if not 0 <= step < ids.shape[1] or int(ids[0, step, voice]) <= REST_TOKEN:
        return None
    return (int(ids[0, step, voice]) - ARTICULATED.first_onset) % PITCHES


def distance(first: int | None, second: int | None) -> int:
    return NONE if first is None or second is None else second - first + PITCHES - 1


def nearest(ids: torch.Tensor, step: int, voice: int, motion_kind: int) -> tuple[int | None, int]:
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


@pytest.fixture
def features() -> Lookahead:
    torch.manual_seed(0)
    return Lookahead(ARTICULATED.size, PITCHES, 8, KEY, GIVEN)


def conditions_of(given: list[int]) -> Tensor:
    """Return the conditions of one piece without a key: (1, N, 3)."""
    rows = torch.zeros(1, len(given), 3, dtype=torch.int64)
    rows[0, :, GIVEN] = torch.tensor(given)
    return rows


def some_given(steps: int, seed: int) -> list[int]:
    rng = torch.Generator().manual_seed(seed)
    tokens = torch.randint(REST_TOKEN, ARTICULATED.size, (steps * PARTS,), generator=rng)
    known = torch.rand(steps * PARTS, generator=rng) < 0.5
    return torch.where(known, tokens, 0).tolist()


def pitch_after(token: int) -> int:
    """Return the semitones above the lowest pitch, NO_PITCH for tokens without pitch."""
    return NO_PITCH if token <= REST_TOKEN else (token - REST_TOKEN - 1) % PITCHES


def has_onset(given: list[int], place: int) -> bool:
    token = given[place]
    struck = REST_TOKEN < token <= REST_TOKEN + PITCHES
    return pitch_after(token) != NO_PITCH and (struck or place < PARTS or given[place - PARTS] == 0)


def naive_columns(given: list[int], place: int) -> list[int]:
    step, voice = divmod(place, PARTS)
    steps = -(-len(given) // PARTS)
    padded = given + [0] * (steps * PARTS - len(given))
    now, news = [NO_PITCH] * 3, [0] * 3
    for down in range(1, PARTS - voice):
        token = padded[place + down]
        now[down - 1] = pitch_after(token)
        sounds, struck = pitch_after(token) != NO_PITCH, token <= REST_TOKEN + PITCHES
        news[down - 1] = (2 if struck else 1) if sounds else 0
    first, second, away = [], [], []
    for round_ in range(PARTS):
        of_voice = (voice + round_) % PARTS
        later = [t for t in range(step + 1, steps) if has_onset(padded, t * PARTS + of_voice)]
        found = [pitch_after(padded[t * PARTS + of_voice]) for t in later] + [NO_PITCH, NO_PITCH]
        first.append(found[0])
        second.append(found[1])
        away.append(min(later[0] - step, 31) if later else 0)
    return now + first + second + away + news


def test_distances_are_relative_to_the_nearest_known_pitches() -> None:
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


@pytest.mark.parametrize("length", [40, 37, 4, 200])
def test_the_columns_are_those_of_a_search(features: Lookahead, length: int) -> None:
    given = some_given(-(-length // PARTS), length)[:length]
    columns = features.with_lookahead(conditions_of(given))[0, :, 3:].tolist()
    assert columns == [naive_columns(given, place) for place in range(length)]


def test_nothing_given_is_nothing_known(features: Lookahead) -> None:
    columns = features.with_lookahead(conditions_of([0] * 24))[0, :, 3:]
    assert (columns[:, :11] == NO_PITCH).all()
    assert (columns[:, 11:] == 0).all()


def test_only_distances_count_without_a_key(features: Lookahead) -> None:
    given = [REST_TOKEN + 1 + above for above in (30, 20, 15, 0, 31, 0, 17, 3)]
    past = torch.tensor([[33, 25, 18, 2, 31, 24, 17, 1]])[:, None]
    rows = [
        features.rows(
            past + up,
            features.with_lookahead(conditions_of([token + up for token in given]))[:, :1],
        )
        for up in (0, 3)
    ]
    assert torch.equal(rows[0], rows[1])


def test_all_rows_are_in_the_table_each_kind_in_its_own_part(features: Lookahead) -> None:
    rows_BTC = conditions_of(some_given(30, 5))
    rows_BTC[..., KEY] = torch.arange(120) % 25
    pitch_BTN = torch.randint(
        0, NO_PITCH + 1, (1, 120, 8), generator=torch.Generator().manual_seed(3)
    )
    rows = features.rows(pitch_BTN, features.with_lookahead(rows_BTC))[0]
    assert int(rows.max()) < len(features.table())
    assert all(len(set(row)) == len(row) for row in rows.tolist())


def test_parallels_with_a_voice_that_is_given_have_a_row_of_their_own(features: Lookahead) -> None:
    past = torch.tensor(
        [[[24, 28, 12, 19, 24, 28, 12, 19]]]
    )  # alto and soprano now, bass before ...
    known = torch.full((1, 1, 3), 0)
    moves = []
    for bass in (14, 15):
        ahead = torch.cat([known, torch.tensor([[[bass] + [NO_PITCH] * 10 + [0] * 7]])], dim=-1)
        moves.append(set(features.rows(past, ahead)[0, 0].tolist()))
    assert len(moves[0] - moves[1]) == 3  # distance, its place in the octave, the motion
