"""Generation with muted heads by a causal model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import RANGES, REST, Chorale, Key
from musicrel.errors import ModelError, UsageError
from musicrel.generation.candidates import candidate_job
from musicrel.generation.causal import causal_generator
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.heads.replacement import replaced_heads
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.scoring.teacher_forcing import score_cells

_PLAIN = GenerationRequest(bars=2, phrases=(2,), seed=3, key=Key("D", "minor"))
_ONE = Mutes.parse("2.1", "zero")
_ALL = Mutes.parse("1,2", "zero")


def written(model: LoadedModel, request: GenerationRequest) -> Chorale:
    """Return the piece of a request."""
    return jobs.run(causal_generator.generate(model, request)).chorale


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_a_muted_head_gives_other_notes_of_the_same_seed(model: LoadedModel, quality: str) -> None:
    """With and without the particles of the search."""
    plain = replace(_PLAIN, quality=quality)

    muted = written(model, replace(plain, mutes=_ONE))

    assert (muted.pitches != written(model, plain).pitches).any()


def test_muting_nothing_gives_the_same_notes(model: LoadedModel) -> None:
    """The choice of a replacement alone changes nothing."""
    nothing = replace(_PLAIN, mutes=Mutes(by="zero"))

    assert written(model, nothing) == written(model, _PLAIN)


@pytest.mark.parametrize("quality", ["draft", "normal"])
def test_torch_writes_the_notes_of_the_compiled_step(any_model: LoadedModel, quality: str) -> None:
    """The same heads are muted at the same positions, also after particles were resampled."""
    request = replace(_PLAIN, mutes=_ONE, quality=quality)
    by_torch = replace(any_model, may_compile=False)

    one, other = written(any_model, request), written(by_torch, request)

    np.testing.assert_array_equal(one.pitches, other.pitches)
    np.testing.assert_array_equal(one.onsets, other.onsets)


def test_a_piece_without_any_head_keeps_the_rules_and_the_locks(model: LoadedModel) -> None:
    """Nothing but the newest note and the conditions is left to the model."""
    locks = Locks(steps=32, cells=(Cell(8, 0, 67), Cell(20, 3, 50)))

    piece = written(model, replace(_PLAIN, mutes=_ALL, locks=locks))

    assert (piece.pitches[8, 0], piece.pitches[20, 3]) == (67, 50)
    for pitches, (low, high) in zip(piece.pitches.T, RANGES.values(), strict=True):
        assert ((pitches == REST) | ((low <= pitches) & (pitches <= high))).all()


def test_the_provenance_names_the_muted_heads(model: LoadedModel) -> None:
    """The request of the piece writes it once more."""
    piece = written(model, replace(_PLAIN, mutes=_ONE))

    assert piece.provenance is not None
    stored = piece.provenance.settings
    assert (stored["mute"], stored["mute_by"]) == ("2.1", "zero")
    assert written(model, GenerationRequest.from_json(dict(stored))) == piece


def test_candidates_are_measured_by_the_muted_model(model: LoadedModel) -> None:
    """The likelihood in the ranking is that of the model that wrote them."""
    locks = Locks(steps=32, cells=(Cell(0, 0, 67), Cell(31, 0, 67)))
    request = replace(_PLAIN, mutes=_ONE, locks=locks, quality="draft")

    made = jobs.run(candidate_job.generate_candidates(model, request, 2))

    given, replaced = request.given_conditions(), replaced_heads(model, _ONE)
    for one in made.ranked:
        rows = score_cells(model, one.chorale, given, record=False, replaced=replaced)
        nats = np.concatenate([part.nats for part in rows])
        assert one.measures.nats == pytest.approx(float(nats.mean()), abs=1e-4)


def test_a_head_that_the_model_does_not_have_is_refused(model: LoadedModel) -> None:
    """The sentence names the heads that there are."""
    with pytest.raises(UsageError, match=r"no head 3.1: expected layers 1 to 2 and heads 1 to 2"):
        written(model, replace(_PLAIN, mutes=Mutes.parse("3.1", "zero")))


def test_unknown_means_are_refused(model: LoadedModel) -> None:
    """The sentence names the command."""
    with pytest.raises(ModelError, match="compute them with musicrel ablate means"):
        written(model, replace(_PLAIN, mutes=Mutes.parse("2.1")))
