"""The bounds of the numbers that users write: on the command line, in files, in Python.

Bounds that depend on other values, such as the bars of a piece on its meter, are checked beside
them, within these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Final

from musicrel.errors import UsageError
from musicrel.language import decimal, tr


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers that are accepted."""

    low: float
    high: float
    whole: bool = True  # whole numbers only
    above: bool = False  # ``low`` itself is not accepted
    below: bool = False  # ``high`` itself is not
    unit: Callable[[], str] = str  # what follows the numbers in messages; no text at first
    zero: Callable[[], str] = str  # what follows ``low`` there
    named: bool = False  # messages begin with "a whole number"

    def __contains__(self, value: object) -> bool:
        kind = Integral if self.whole else Real  # those of NumPy, too
        if isinstance(value, bool) or not isinstance(value, kind):
            return False
        number: Any = value
        is_low = number == self.low and self.above
        is_high = number == self.high and self.below
        return bool(self.low <= number <= self.high and not is_low and not is_high)

    def __str__(self) -> str:
        """Return what is expected, as in "0 to less than 1"."""
        spec = "" if self.named else ","
        low, high = decimal(self.low, spec) + self.zero(), decimal(self.high, spec) + self.unit()
        if self.named:
            return tr("a whole number {low} to {high}", low=low, high=high)
        if self.above and self.below:
            return tr("more than {low}, less than {high}", low=low, high=high)
        if self.above:
            return tr("more than {low}, at most {high}", low=low, high=high)
        if self.below:
            return tr("{low} to less than {high}", low=low, high=high)
        return tr("{low} to {high}", low=low, high=high)


def _real(low: float, high: float, **more: Any) -> Bounds:
    return Bounds(low, high, whole=False, **more)


def _off() -> str:
    return tr(" (off)")


def _per_minute() -> str:
    return tr(" quarter notes a minute")


_MANY: Final = 10**9  # steps of a run: a lifetime of training
_ANY: Final = 2**53  # up to here, floats hold every whole number
_STEPS: Final = 16_384  # sixteenths of the longest piece, and tokens of the longest sequence

BOUNDS: Final[Mapping[str, Bounds]] = {
    # requests
    "bars": Bounds(1, 256),
    "pickup": Bounds(0, 511, unit=lambda: tr(" sixteenths, or auto")),
    "numerator": Bounds(1, 32),
    "step": Bounds(0, _STEPS),
    "verse": Bounds(1, 99),
    "tempo": _real(5, 600, unit=_per_minute),
    "slowing": _real(10, 99, unit=lambda: tr(" percent of the tempo")),
    "temperature": _real(0, 10),
    "top-k": Bounds(0, _MANY, zero=_off),
    "top-p": _real(0, 1, above=True, unit=_off),
    "seed": Bounds(0, 2**63 - 1, named=True),
    "count": Bounds(1, 10_000),
    "candidates": Bounds(1, 256),
    "weight": _real(-1_000_000, 1_000_000),
    "change": _real(0, 1, unit=lambda: tr(": 0 is similar, 1 is different")),
    # commands
    "threads": Bounds(1, 256),
    "click_level": Bounds(0, 1000),
    "jobs": Bounds(1, 10_000, unit=lambda: tr(", or auto")),
    "gpus": _real(0, 16, above=True),
    "since": Bounds(0, _ANY),
    "layer": Bounds(0, 24),
    "head": Bounds(0, 64),
    "pieces": Bounds(1, _MANY),
    "notes": Bounds(1, _MANY),
    "played tempo": _real(1, 10_000, unit=_per_minute),
    "window-seconds": _real(0, 86_400),
    # data of recipes
    "window": Bounds(4, _STEPS, unit=lambda: tr(" tokens")),
    "buckets": Bounds(1, 1000, unit=lambda: tr(", 1 for batches in random order")),
    "first_window": Bounds(0, _STEPS),
    "farthest_shift": Bounds(0, 12, unit=lambda: tr(" semitones")),
    "curriculum_steps": Bounds(0, _MANY),
    "condition_dropout": _real(0, 1),
    "hint_dropout": _real(0, 1),
    # training
    "tokens": Bounds(0, _ANY),
    "steps": Bounds(0, _MANY),
    "minutes": _real(0, _MANY),
    "batch": Bounds(1, 4096),
    "accumulate": Bounds(1, 4096),
    "token_masking": _real(0, 1, below=True),
    "distil": _real(0, 1),
    "label_smoothing": _real(0, 1, below=True),
    "learning_rate": _real(0, 1000, above=True),
    "warmup_steps": Bounds(0, _MANY),
    "schedule_steps": Bounds(0, _MANY),
    "final_rate": _real(0, 1),
    "weight_decay": _real(0, 1000),
    "beta1": _real(0, 1, below=True),
    "beta2": _real(0, 1, below=True),
    "clip": _real(0, _MANY, above=True),
    "ema": _real(0, 1),
    "calibration_rounds": Bounds(0, 1000),
    "run seed": Bounds(0, 2**32 - 1, named=True),
    "evaluate_every": Bounds(1, _MANY),
    "checkpoint_every": Bounds(1, _MANY),
    "stop_after": Bounds(0, _MANY),
    "stop_gain": _real(0, 1000),
    # masking and resources
    "rate": _real(0, 1, above=True),
    "cpus": Bounds(0, 1024),
    "memory": _real(0, 10_000, unit=lambda: tr(", in GB")),
    # studies
    "share": _real(0, 1, above=True),
    "layer batch": Bounds(1, 64),
    "layer width": Bounds(8, 2048),
    "layer heads": Bounds(1, 64),
    "layer max_distance": Bounds(1, _STEPS),
    "layer repeats": Bounds(1, 100),
    "layer limit_gigabytes": _real(0.001, 1024),
    "length": Bounds(4, 65_536),
    # of models; files are not trusted beyond these
    "model tokens": Bounds(4, 4096, named=True),
    "model width": Bounds(8, 2048, named=True),
    "model layers": Bounds(1, 24, named=True),
    "model heads": Bounds(1, 64, named=True),
    "model feedforward": Bounds(8, 8192, named=True),
    "model trained_length": Bounds(2, _STEPS, named=True),
    "model dropout": _real(0.0, 0.95),
    "model attention_dropout": _real(0.0, 0.95),
    "model position_dropout": _real(0.0, 0.95),
}
"""Name -> its bounds."""

# Form of a number as text: True for whole numbers, False for real ones.
_FORMS: Final = {
    True: re.compile(r"[+-]?[0-9]{1,40}"),
    False: re.compile(r"[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,5})?"),
}


def problem(name: str, value: object, label: str = "") -> str:
    """Return what is wrong with a number, called ``label`` or ``name``, as a sentence, or ""."""
    return "" if value in BOUNDS[name] else _refusal(name, shown(value), label)


def _refusal(name: str, value: str, label: str) -> str:
    known = BOUNDS[name]
    return tr("{name} is {value}: expected {known}", name=label or name, value=value, known=known)


def check(name: str, value: object, label: str = "") -> None:
    """Raise ``UsageError`` for a number out of bounds."""
    if sentence := problem(name, value, label):
        raise UsageError(sentence)


def parse(name: str, text: str, label: str = "") -> float:
    """Return the number that a text stands for."""
    whole = BOUNDS[name].whole
    found = _FORMS[whole].fullmatch(text.strip())
    if found is None:
        raise UsageError(_refusal(name, text.strip() or repr(text), label))
    value = int(text) if whole else float(text)
    check(name, value, label)
    return value


def shown(value: object) -> str:
    """Return a value for a message: Python writes no number of more than 4,300 digits."""
    try:
        return repr(value)
    except ValueError:
        return tr("a number of thousands of digits")
