"""The models to choose from, described for people; importing this takes no torch."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

from musicrel.errors import ModelError
from musicrel.language import tr
from musicrel.model import catalogue
from musicrel.model.card import Card, check_notes, learns_places, read_card
from musicrel.presentation.words import display_names, names

_GETTING_STARTED: Final = tr(
    "Press Generate for a chorale in four voices, harmonise a melody ({key[rewriting.harmonise]}), "
    "or write notes ({key[rewriting.draw]})."
)
# the task of writing whole voices: new pieces, continuations and harmonisations
WRITE: Final = "write"
# the task of writing passages of a voice between kept notes, or a whole piece again
REWRITE: Final = "rewrite"
DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {WRITE: "relative", REWRITE: "relative-infill"}
)  # the default model of each task

BACH: Final = "Bach"
"""Style of all models that were not taught other pieces."""
_TEST_RUN_TOKENS: Final = 300_000
"""Training tokens below which a model is one of a test run: those of the study ``smoke`` read
80,000 at most, those of the study ``quick`` 1.2 million."""


class Family(NamedTuple):
    title: str
    task: str  # what its models do
    meaning: str
    unit: str = tr("nats/note")  # of the loss


FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "causal": Family(
            tr("Causal"),
            tr("Writes"),
            tr("Generates notes from left to right, conditioned on those before."),
        ),
        "encoder_decoder": Family(
            tr("Encoder-decoder"),
            tr("Rewrites"),
            tr("Generates notes from left to right, conditioned on all given notes."),
        ),
        "infill": Family(
            tr("Infill"),
            tr("Rewrites"),
            tr("Fills in masked notes from both sides."),
            tr("nats/masked note"),
        ),
        "masked": Family(
            tr("Masked"),
            "–",
            tr("Predicts masked tokens from both sides."),
            tr("nats/masked token"),
        ),
        "classifier": Family(
            tr("Classifier"), tr("Classifies"), tr("Classifies sequences."), tr("nats/sequence")
        ),
        "published": Family(
            tr("Published"), "–", tr("An arm of the published comparison."), tr("nats/masked token")
        ),
    }
)

CAUSAL: Final = tr(
    "This model generates from left to right. It writes several versions side by side and reads "
    "ahead in the notes kept after the passage to choose among them, except at draft quality."
)
BOTH_SIDES: Final = tr(
    "This model sees the notes before and after the passage and fits its notes to them; candidates "
    "are ranked."
)

_ARMS: Final[Mapping[str, str]] = MappingProxyType({"sinusoidal": "vanilla"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    name: str  # to find and load it by
    title: str  # name, and of an own model scheme and size, in one line
    detail: str  # size, shape and loss in one line
    conditions: frozenset[str]  # the conditioning inputs it knows
    family: str = "causal"
    learns_places: bool = False  # whether its heads learn places, known after a piece is read
    is_test_run: bool = False  # True for a model that was trained to check that training works
    style: str = BACH  # whose pieces it writes like

    @property
    def is_special(self) -> bool:
        """Return whether it is offered after the others, under "More"."""
        return self.is_test_run or display_names.is_benchmark(self.name)

    @property
    def sees_both_sides(self) -> bool:
        """Return whether it sees the notes after those it generates."""
        return self.family in ("encoder_decoder", "infill")

    @property
    def is_infill(self) -> bool:
        """Return whether it fills in and resamples notes instead of writing in order."""
        return self.family == "infill"


def installed() -> tuple[tuple[ModelChoice, ...], tuple[str, ...]]:
    """Return the installed models of notes, and an error sentence for each unusable folder."""
    choices, problems = [], []
    for folder in catalogue.model_directories():
        try:
            card = read_card(folder)
            if not card.config.classes:  # classifiers write no notes
                check_notes(folder.name, card)
                choices.append(choice(folder.name, card))
        except ModelError as reason:
            problems.append(str(reason))
    return tuple(choices), tuple(problems)


def default_for(task: str, choices: Collection[ModelChoice], chosen: str = "") -> str:
    """Return the name of the model for a task: the chosen one if it is there, else the default."""
    if any(choice.name == chosen for choice in choices):
        return chosen

    def fits(choice: ModelChoice) -> tuple[bool, bool]:
        return choice.name == DEFAULTS[task], choice.sees_both_sides == (task == REWRITE)

    usual = [choice for choice in choices if not choice.is_test_run]
    return max(usual, key=fits).name if usual else ""


def styles(choices: Iterable[ModelChoice]) -> tuple[str, ...]:
    """Return the styles that can be chosen, Bach's first."""
    found = {one.style for one in choices if not one.is_special}
    return tuple(sorted(found, key=lambda style: (style != BACH, style.casefold())))


def of_style(style: str, choices: Iterable[ModelChoice]) -> str:
    """Return the name of the model that writes in a style; "" if there is none."""
    return default_for(WRITE, [one for one in choices if one.style == style])


def lookahead(*, sees_both_sides: bool) -> str:
    """Return how a model takes account of the notes after a passage."""
    return BOTH_SIDES if sees_both_sides else CAUSAL


def arranged(choices: Iterable[ModelChoice]) -> tuple[tuple[ModelChoice, ...], ...]:
    """Return the models to offer first, and those to offer under "More"."""
    found = tuple(choices)
    return tuple(tuple(one for one in found if one.is_special == more) for more in (False, True))


def hint(choices: Collection[ModelChoice]) -> tuple[str, str]:
    if choices:
        return (tr("Empty sheet"), _GETTING_STARTED)
    return (tr("No model installed"), tr("Import one with Compose > Models…, or train one."))


def choice(name: str, card: Card) -> ModelChoice:
    is_test_run = _is_test_run(card)
    return ModelChoice(
        name=name,
        title=_title(name, card, is_test_run=is_test_run),
        detail="  ·  ".join(_details(card)),
        conditions=frozenset(card.config.conditions),
        family=card.config.family,
        learns_places=learns_places(card.config),
        is_test_run=is_test_run,
        style=display_names.writer(name) if card.taught else BACH,
    )


def _title(name: str, card: Card, *, is_test_run: bool) -> str:
    if name in display_names.MODELS:
        return display_names.model(name)
    scheme = _ARMS.get(card.config.scheme, card.config.scheme)
    shown = () if scheme in name else (display_names.arm(scheme),)
    mark = (tr("test run"),) if is_test_run else ()
    return " · ".join((name, *shown, size(card.parameters), *mark))


def size(parameters: int) -> str:
    million, thousand = 1_000_000, 1_000
    if parameters >= million:
        return tr("{number:.1f} M", number=parameters / million)
    if parameters >= thousand:
        return tr("{number:.0f} k", number=parameters / thousand)
    return str(parameters)


def _is_test_run(card: Card) -> bool:
    tokens = card.training.get("tokens")
    return isinstance(tokens, int) and tokens < _TEST_RUN_TOKENS and not card.taught


def _details(card: Card) -> list[str]:
    found = [
        tr("{size} parameters", size=size(card.parameters)),
        tr("{layers} layers, {heads} heads", layers=card.config.layers, heads=card.config.heads),
    ]
    note = tr("hidden note") if card.config.family == "infill" else tr("note")
    losses = (("test", card.test_nats_per_note), ("valid", card.valid_nats_per_note))
    for name, loss in losses:
        if loss is not None:
            split = names.SPLITS[name]
            text = tr("{loss:.3f} nats/{note} on {split}", loss=loss, note=note, split=split)
            return [*found, text]
    return found
