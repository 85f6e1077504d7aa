"""Numbers of every size and form, wherever a user can write one: a sentence, or a result."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from typing import Any, Final

import numpy as np
import pytest

import musicrel
from musicrel import bounds, settings
from musicrel.chorale import Meter, Voice
from musicrel.cli.main import COMMANDS, main, parser_of
from musicrel.errors import MusicrelError, UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import DataPart, MaskingPart, TrainingPart
from musicrel.experiment.study import definition
from musicrel.generation import edit_requests
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.request import GenerationRequest
from musicrel.settings import Settings
from tests.helpers.music import minuet

DIGITS: Final = "9" * 4_500
"""More than Python converts."""
TEXTS: Final = (
    "99999999999999999999", DIGITS, f"-{DIGITS}", f"0.{DIGITS}", f"1e{DIGITS}", "1e400", "-1e400",
    "1e-400", "nan", "inf", "-inf", "-1", "-0", "1_000", "٣", "²", "", " ", "0x10", "1,5", "1e3",
    "true", "None", "0.5.5", "--", "9" * 300, "１２", "1" + "0" * 18,
)  # fmt: skip
NUMBERS: Final[tuple[Any, ...]] = (
    10**20, -(10**20), 10**5_000, -(10**5_000), 2**63, 2**64, -1, float("nan"), float("inf"),
    -float("inf"), 1e300, 1e-300, 5e-324, True, 2.5, "x", "3", "", None, [], {}, (1,),
    np.int64(3), np.float32(0.5), np.float64(0.5), 3 + 2j, b"3",
)  # fmt: skip
TOML: Final = (
    "1" + "0" * 20, "-1", "-1" + "0" * 20, DIGITS, f"-{DIGITS}", f"0x{'f' * 4_000}", "nan", "inf",
    "-inf", "1e400", "1e300", "1e-320", "true", '"3"', "[]", "{}", "1979-05-27", "-0.0",
)  # fmt: skip


def problem(call: Callable[[], object]) -> str:
    """Return the sentence in which a call ends, "" for a result; any other error is a fault."""
    try:
        call()
    except (MusicrelError, argparse.ArgumentError) as reason:
        return str(reason) or "an empty message".zfill(2_000)
    return ""


@pytest.mark.parametrize("name", bounds.BOUNDS)
def test_a_text_is_a_number_within_bounds_or_refused(name: str) -> None:
    for text in TEXTS:
        found = problem(partial(bounds.parse, name, text))
        assert len(found) < 1_500
        assert str(bounds.BOUNDS[name]) in found or bounds.parse(name, text) in bounds.BOUNDS[name]


@pytest.mark.parametrize("name", bounds.BOUNDS)
def test_the_ends_of_the_bounds_are_accepted_as_they_say(name: str) -> None:
    of = bounds.BOUNDS[name]
    assert (of.low in of, of.high in of) == (not of.above, not of.below)
    assert not bounds.problem(name, of.high) or of.below
    for outside in (of.low - 1, of.high + 1, 2 * of.high + 1, float("nan"), True, None, "3"):
        assert outside not in of
        assert bounds.problem(name, outside).startswith(f"{name} is ")


def options() -> Iterator[tuple[tuple[str, ...], argparse.Action]]:
    def inside(parser: argparse.ArgumentParser, words: tuple[str, ...]) -> Iterator[Any]:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for name, below in action.choices.items():
                    if words or name in COMMANDS:
                        yield from inside(below, (*words, name))
            elif action.option_strings and action.nargs != 0 and action.choices is None:
                yield words, action

    for command in COMMANDS:
        found = inside(parser_of([command]), ())
        yield from ((words, action) for words, action in found if words[0] == command)


OPTIONS: Final = {f"{' '.join(words)} {action.option_strings[-1]}": (words, action)
                  for words, action in options()}  # fmt: skip


def parsed(name: str, text: str) -> object:
    _, action = OPTIONS[name]
    parser = argparse.ArgumentParser(exit_on_error=False)
    kind: Any = action.type
    parser.add_argument(action.option_strings[-1], type=kind, dest="value", nargs=action.nargs)
    return parser.parse_args([f"{action.option_strings[-1]}={text}"]).value


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_takes_a_text_or_says_what_it_expects(name: str) -> None:
    assert OPTIONS[name][1].type not in (int, float)
    for text in TEXTS:
        if not problem(partial(parsed, name, text)):
            value = parsed(name, text)
            assert not isinstance(value, int | float) or abs(value) < 2**63


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize(
    "option",
    ["--bars", "--pickup", "--phrases", "--tempo", "--temperature", "--top-k", "--top-p", "--seed",
     "--count", "--candidates", "--threads", "--meter", "--ranges", "--mute", "--weights"],
)  # fmt: skip
def test_a_command_ends_in_a_usage_error(
    option: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["generate", "--out", "a.mid", "--model", "no such model", f"{option}={text}"]
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    message = capsys.readouterr().err
    assert code == 2 or (code == 1 and "no such model" in message)


@pytest.mark.parametrize("text", [f"0:{DIGITS}", f"{DIGITS}:2", "0:99999999999999999999", "٣:٤",
                                  "0:1_0", ":", "0:-1", "nan:inf", "0:1:2"],
                         ids=lambda text: f"{text[:8]} {len(text)}")  # fmt: skip
def test_a_range_of_steps_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is not a range of steps: expected sixteenths as in"):
        edit_requests.parse_steps(text)


REQUEST: Final = ("bars", "pickup", "temperature", "top_k", "top_p", "seed", "tempo", "length")


@pytest.mark.parametrize("name", REQUEST)
def test_a_request_takes_a_number_or_says_what_it_expects(name: str) -> None:
    for value in NUMBERS:
        found = problem(partial(GenerationRequest, **{name: value}))
        assert not found or name.replace("_", "-") in found.replace("_", "-")


ALTO: Final = (Voice.ALTO,)
RANGES: Final = ((55, 74), (48, 69), (40, 62))
CALLS: Final[Mapping[str, Callable[[Any], object]]] = {
    "phrases of two": lambda value: GenerationRequest(phrases=(value, 4)),
    "phrases": lambda value: GenerationRequest(phrases=(value,)),
    "fermatas": lambda value: GenerationRequest(fermatas=((0, value),)),
    "ranges": lambda value: GenerationRequest(ranges=((value, 79), *RANGES)),
    "the highest note": lambda value: voice_ranges.check(
        ((60, value), (55, 74), (48, 69), (40, 62))
    ),
    "locks": lambda value: Locks(steps=value),
    "meter": lambda value: Meter(value, 4),
    "unit of a meter": lambda value: Meter(4, value),
    "tempo of a piece": lambda value: replace(minuet(), tempo=value),
    "threads": lambda value: bounds.check("threads", value),
    "steps of an infilling": lambda value: edit_requests.infill_request(
        minuet(), [Voice.ALTO], 0, value
    ),
    "bars to continue": lambda value: edit_requests.continuation_request(minuet(), value),
    "change": lambda value: edit_requests.variation_request(minuet(), value),
    "seed of a variation": lambda value: edit_requests.variation_request(minuet(), 0.5, seed=value),
    "count": lambda value: musicrel.generate("no such model", count=value),
    "seed": lambda value: musicrel.generate("no such model", seed=value),
    "bars": lambda value: musicrel.generate("no such model", bars=value, phrases="none"),
    "steps": lambda value: musicrel.infill(minuet(), steps=(0, value), model="no such model"),
    "verse": lambda value: musicrel.infill(minuet(), verse=value, model="no such model"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_python_gets_a_sentence_or_a_result(call: Callable[[Any], object]) -> None:
    for value in NUMBERS:
        assert len(problem(partial(call, value))) < 1_500


def test_numbers_of_numpy_are_numbers() -> None:
    piece, four = minuet(), np.int64(4)

    request = edit_requests.infill_request(piece, ALTO, np.int64(0), four)  # type: ignore[arg-type]
    assert request == edit_requests.infill_request(piece, ALTO, 0, 4)
    assert Meter(four, four) == Meter(4, 4)  # type: ignore[arg-type]
    assert Locks(steps=four) == Locks(steps=4)  # type: ignore[arg-type]
    assert replace(piece, tempo=np.int64(80)) == replace(piece, tempo=80)  # type: ignore[arg-type]
    for name, value in (("change", np.float32(0.5)), ("count", four), ("bars", np.uint8(4))):
        bounds.check(name, value)
    assert np.float32(2) not in bounds.BOUNDS["bars"]
    assert np.bool_(True) not in bounds.BOUNDS["bars"]


RECIPE: Final[Mapping[str, object]] = {
    "data": DataPart, "training": TrainingPart, "masking": MaskingPart,
}  # fmt: skip
KEYS: Final = [
    (part, field.name)
    for part, kind in RECIPE.items()
    for field in fields(kind)  # type: ignore[arg-type]
    if str(field.type) in ("int", "float")
] + [("model", name) for name in ("width", "layers", "heads", "feedforward", "dropout",
                                  "attention_dropout", "position_dropout", "encoder_layers")] + [
    ("resources", name) for name in ("cpus", "gpus", "memory")
]  # fmt: skip


def _config(text: str) -> object:
    return recipe.parse(text, "a.toml").config()


@pytest.mark.parametrize(("part", "name"), KEYS)
def test_a_recipe_takes_a_number_or_says_what_it_expects(part: str, name: str) -> None:
    scheme = 'scheme = "relative"\n'
    for text in TOML:
        model = f"{scheme}{name} = {text}" if part == "model" else scheme
        other = "" if part == "model" else f"[{part}]\n{name} = {text}\n"
        budget = "" if part == "training" else "[training]\n"
        steps = "" if name in ("steps", "tokens", "minutes") else "steps = 5\n"
        body = f"{other}{steps}" if part == "training" else f"{other}{budget}{steps}"
        whole = f'name = "a"\n[model]\n{model}\n{body}'
        assert len(problem(partial(_config, whole))) < 1_500


STUDY: Final = """name = "a"
seeds = {seeds}
{budget}
[model]
width = 16
layers = 1
heads = 2
feedforward = 64
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
options = {{ max_distance = {distance} }}
[search]
learning_rates = [1e-3, {rate}]
share = {share}
"""
VALUES: Final = {"seeds": "[0]", "budget": "5", "distance": "16", "rate": "2e-3", "share": "0.1"}


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("unit", ["steps", "tokens", "minutes"])
def test_a_study_takes_a_number_or_says_what_it_expects(name: str, unit: str) -> None:
    for text in (*TOML, "[-1]", f"[{DIGITS}]", "[1" + "0" * 20 + "]", '"0-99999999999"',
                 f'"0-{DIGITS}"', '"٣-٤"', "[0, 0]", "[true]", "[0.5]", '"5-1"'):  # fmt: skip
        values = VALUES | {name: text}
        values["budget"] = f"budget = {{ {unit} = {values['budget']} }}"
        assert len(problem(partial(definition.parse, STUDY.format(**values), "a.toml"))) < 1_500


@pytest.mark.parametrize(
    "name", ["batch", "width", "heads", "max_distance", "repeats", "limit_gigabytes", "lengths"]
)
def test_a_memory_study_takes_a_number_or_says_what_it_expects(name: str) -> None:
    for text in (*TOML, f"[4, {DIGITS}]", "[4, 1" + "0" * 20 + "]", "[-1, 5]", "[4.0, 8.0]"):
        whole = f'name = "m"\nkind = "memory"\n{name} = {text}\n'
        assert len(problem(partial(definition.parse, whole, "a.toml"))) < 1_500


def test_a_step_does_not_draw_more_sequences_than_memory_has() -> None:
    with pytest.raises(UsageError, match="batch x accumulate x buckets is 16,777,216: expected"):
        recipe.parse(
            'name = "a"\n[model]\nscheme = "relative"\n[training]\nsteps = 5\nbatch = 4096\n'
            "accumulate = 4096\n",
            "a.toml",
        )


@pytest.mark.parametrize("name", ["cores", "click_level"])
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_setting_that_is_no_number_has_its_default(name: str, text: str) -> None:
    found = settings._usable({name: text})
    usual = getattr(Settings(), name)
    assert getattr(found, name) in {usual, text}
    assert getattr(found, name) == usual or int(getattr(found, name)) <= 1000
