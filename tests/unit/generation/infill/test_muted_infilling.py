"""Infilling with muted heads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from tests.helpers.music import random_chorale

_PIECE = random_chorale(4, 32, margin=2)
_ONE = Mutes.parse("1.1", "zero")
_ALL = Mutes.parse("1,2", "zero")


def request(mutes: Mutes) -> GenerationRequest:
    """Return a request to rewrite a bar of two voices."""
    voices = edit_requests.parse_voices("A,T")
    return edit_requests.infill_request(_PIECE, voices, 8, 24, quality="draft", mutes=mutes)


def rewritten(model: LoadedModel, mutes: Mutes) -> Chorale:
    """Return the piece with the bar rewritten."""
    made = jobs.run(candidate_job.generate_candidates(model, request(mutes), 1))
    return made.ranked[0].chorale


def test_a_muted_head_gives_other_notes_and_keeps_the_rest(infill_model: LoadedModel) -> None:
    """Locked notes stay as they are, whatever is muted."""
    plain = rewritten(infill_model, Mutes(by="zero"))

    for mutes in (_ONE, _ALL):
        muted = rewritten(infill_model, mutes)
        assert (muted.pitches != plain.pitches).any()
        kept = np.ones((32, 4), dtype=np.bool_)
        kept[8:24, 1:3] = False
        np.testing.assert_array_equal(muted.pitches[kept], _PIECE.pitches[kept])


def test_muting_nothing_gives_the_same_notes(infill_model: LoadedModel) -> None:
    """The choice of a replacement alone changes nothing."""
    one, other = (rewritten(infill_model, Mutes(by=by)) for by in ("mean", "zero"))

    np.testing.assert_array_equal(one.pitches, other.pitches)


def test_torch_writes_the_notes_of_the_kernel(infill_model: LoadedModel) -> None:
    """The same heads are muted at the same steps."""
    by_torch = replace(infill_model, may_compile=False)

    one, other = rewritten(infill_model, _ONE), rewritten(by_torch, _ONE)

    np.testing.assert_array_equal(one.pitches, other.pitches)


def test_the_provenance_names_the_muted_heads_and_the_precision(infill_model: LoadedModel) -> None:
    """Heads are replaced in single precision on every machine."""
    provenance = rewritten(infill_model, _ONE).provenance

    assert provenance is not None
    assert (provenance.settings["mute"], provenance.settings["mute_by"]) == ("1.1", "zero")
    assert provenance.machine["precision"] == "single"


def test_a_head_that_the_model_does_not_have_is_refused(infill_model: LoadedModel) -> None:
    """The sentence names the heads that there are."""
    with pytest.raises(UsageError, match=r"no head 4: expected layers 1 to 2"):
        rewritten(infill_model, Mutes.parse("4", "zero"))
