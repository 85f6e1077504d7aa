"""Forms of weights for the compiled kernel, and where torch takes their place."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from musicrel.generation import kernel
from musicrel.generation.compiled_forms import CompiledForms
from musicrel.model.checkpoint import LoadedWeights
from musicrel.model.devices import Device
from tests.helpers.models import tiny_card, tiny_config, tiny_model

_CONDITIONS = {"infill": ("beat",), "critic": ("beat",)}


def weights_of(family: str, scheme: str = "relative") -> LoadedWeights:
    """Return the weights of a random model of a family."""
    options: dict[str, Any] = {"family": family, "classes": 2 if family == "critic" else 0}
    if family != "causal":
        options["conditions"] = _CONDITIONS[family]
    network = tiny_model(tiny_config(scheme, **options))
    return LoadedWeights.of(network, tiny_card(network))


def names(forms: CompiledForms) -> set[str]:
    """Return the names of the forms that there are."""
    found = {"step": forms.step, "infiller": forms.infiller, "critic": forms.critic}
    return {name for name, form in found.items() if form is not None}


@pytest.mark.parametrize(
    ("family", "form"), [("causal", "step"), ("infill", "infiller"), ("critic", "critic")]
)
def test_each_family_has_a_form(family: str, form: str) -> None:
    """It has only its own."""
    assert names(CompiledForms(weights_of(family))) == {form}


def test_a_form_is_prepared_once() -> None:
    """Its weights take memory."""
    forms = CompiledForms(weights_of("causal"))

    assert forms.step is forms.step


def test_other_schemes_and_devices_have_none() -> None:
    """Torch reads them."""
    rows = np.zeros((1, 4, 7), dtype=np.int64)
    on_gpu = dataclasses.replace(weights_of("causal"), device=Device("cuda"))
    for forms in CompiledForms(weights_of("causal", "rope")), CompiledForms(on_gpu):
        assert names(forms) == set()
        assert forms.decoder(rows, record=False) is None


@pytest.mark.parametrize("family", ["causal", "infill", "critic"])
def test_a_form_is_there_again_after_the_kernel_was_off(family: str) -> None:
    """It may be asked for the first time while torch computes for comparison."""
    forms = CompiledForms(weights_of(family))
    with kernel.switched_off():
        assert names(forms) == set()

    assert names(forms)
