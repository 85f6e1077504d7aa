"""Lookahead features against a search through the piece for each position."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from musicrel.model.features.lookahead import Lookahead
from musicrel.tokens.vocabulary import ARTICULATED, PITCHES, REST_TOKEN

VOICES, KEY, GIVEN = 4, 1, 2
NONE = PITCHES


@pytest.fixture
def features() -> Lookahead:
    """Return the features of a model with voice, key and given notes."""
    torch.manual_seed(0)
    return Lookahead(ARTICULATED.size, PITCHES, 8, KEY, GIVEN)


def conditions_of(given: list[int]) -> Tensor:
    """Return the conditions of one piece without a key: (1, N, 3)."""
    rows = torch.zeros(1, len(given), 3, dtype=torch.int64)
    rows[0, :, GIVEN] = torch.tensor(given)
    return rows


def some_given(steps: int, seed: int) -> list[int]:
    """Return random onsets, holds and rests, about half of the cells not given."""
    rng = torch.Generator().manual_seed(seed)
    tokens = torch.randint(REST_TOKEN, ARTICULATED.size, (steps * VOICES,), generator=rng)
    known = torch.rand(steps * VOICES, generator=rng) < 0.5
    return torch.where(known, tokens, 0).tolist()


def pitch(token: int) -> int:
    """Return the semitones above the lowest pitch, NONE for tokens without pitch."""
    return NONE if token <= REST_TOKEN else (token - REST_TOKEN - 1) % PITCHES


def has_onset(given: list[int], place: int) -> bool:
    """Return whether a given note has_onset at a position, or is first known there."""
    token = given[place]
    struck = REST_TOKEN < token <= REST_TOKEN + PITCHES
    return pitch(token) != NONE and (struck or place < VOICES or given[place - VOICES] == 0)


def naive_columns(given: list[int], place: int) -> list[int]:
    """Return pitches now, the next two, steps to the first, and onsets."""
    step, voice = divmod(place, VOICES)
    steps = -(-len(given) // VOICES)
    padded = given + [0] * (steps * VOICES - len(given))
    now, news = [NONE] * 3, [0] * 3
    for down in range(1, VOICES - voice):
        token = padded[place + down]
        now[down - 1] = pitch(token)
        sounds, struck = pitch(token) != NONE, token <= REST_TOKEN + PITCHES
        news[down - 1] = (2 if struck else 1) if sounds else 0
    first, second, away = [], [], []
    for round_ in range(VOICES):
        of_voice = (voice + round_) % VOICES
        later = [t for t in range(step + 1, steps) if has_onset(padded, t * VOICES + of_voice)]
        found = [pitch(padded[t * VOICES + of_voice]) for t in later] + [NONE, NONE]
        first.append(found[0])
        second.append(found[1])
        away.append(min(later[0] - step, 31) if later else 0)
    return now + first + second + away + news


@pytest.mark.parametrize("length", [40, 37, 4, 200])
def test_the_columns_are_those_of_a_search(features: Lookahead, length: int) -> None:
    """Also in a piece whose last step is not complete."""
    given = some_given(-(-length // VOICES), length)[:length]
    columns = features.with_lookahead(conditions_of(given))[0, :, 3:].tolist()
    assert columns == [naive_columns(given, place) for place in range(length)]


def test_nothing_given_is_nothing_known(features: Lookahead) -> None:
    """No pitch, no distance, no onset."""
    columns = features.with_lookahead(conditions_of([0] * 24))[0, :, 3:]
    assert (columns[:, :11] == NONE).all()
    assert (columns[:, 11:] == 0).all()


def test_only_distances_count_without_a_key(features: Lookahead) -> None:
    """All notes three semitones higher have the same rows."""
    given = [REST_TOKEN + 1 + pitch for pitch in (30, 20, 15, 0, 31, 0, 17, 3)]
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
    """No two rows of a position are equal, for any given notes."""
    rows_BTC = conditions_of(some_given(30, 5))
    rows_BTC[..., KEY] = torch.arange(120) % 25
    pitch_BTN = torch.randint(0, NONE + 1, (1, 120, 8), generator=torch.Generator().manual_seed(3))
    rows = features.rows(pitch_BTN, features.with_lookahead(rows_BTC))[0]
    assert int(rows.max()) < len(features.table())
    assert all(len(set(row)) == len(row) for row in rows.tolist())


def test_parallels_with_a_voice_that_is_given_have_a_row_of_their_own(features: Lookahead) -> None:
    """The tenor has one row for a fifth to the bass that moves up a tone."""
    past = torch.tensor(
        [[[24, 28, 12, 19, 24, 28, 12, 19]]]
    )  # alto and soprano now, bass before ...
    known = torch.full((1, 1, 3), 0)
    moves = []
    for bass in (14, 15):
        ahead = torch.cat([known, torch.tensor([[[bass] + [NONE] * 10 + [0] * 7]])], dim=-1)
        moves.append(set(features.rows(past, ahead)[0, 0].tolist()))
    assert len(moves[0] - moves[1]) == 3  # distance, its place in the octave, the motion
