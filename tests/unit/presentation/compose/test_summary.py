"""A piece in a few words and numbers."""

from __future__ import annotations

from musicrel.chorale import Chorale, Key, Provenance
from musicrel.generation.events import Generated
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose import summary

PIECE = Chorale.of([[72, 67, 64, 48]] * 32, tempo=60)


def test_the_heading_has_the_known_facts() -> None:
    """A key that is not known is not made up; only the transport has a time, that of playing."""
    assert summary.heading(PIECE) == "4/4  ·  2 bars"
    in_key = Chorale.of(PIECE.pitches, key=Key("Eb", "major"), tempo=60)
    assert summary.heading(in_key) == "E♭ major  ·  4/4  ·  2 bars"


def test_pickup_is_no_bar_of_its_own() -> None:
    """The last bar may be shorter by it, or full: its number on the ruler counts."""
    assert "2 bars" in summary.heading(Chorale.of(PIECE.pitches, pickup=4))
    assert "2 bars" in summary.heading(Chorale.of([[72, 67, 64, 48]] * 36, pickup=4))
    assert summary.heading(Chorale.of([[72, 67, 64, 48]] * 4, pickup=4)).endswith("  1 bar")


def test_model_of_a_piece_is_named() -> None:
    """A piece that no model wrote has none."""
    provenance = Provenance(model="relative", sha256="", seed=42)
    assert summary.by_model(Chorale.of(PIECE.pitches, provenance=provenance)) == "by relative"
    assert summary.by_model(PIECE) == ""


def test_muted_heads_of_a_piece_are_named_after_its_model() -> None:
    """They are part of what wrote it."""
    settings = GenerationRequest(mutes=Mutes.parse("4,2.3")).to_json()
    provenance = Provenance(model="relative", sha256="", seed=42, settings=settings)
    piece = Chorale.of(PIECE.pitches, provenance=provenance)

    assert summary.by_model(piece) == "by relative, 2.3, 4 muted"


def test_facts_are_label_and_value() -> None:
    """Model, notes, surprisal, seconds and seed; each has a tooltip."""
    provenance = Provenance(model="any", sha256="", seed=42)
    piece = Chorale.of(PIECE.pitches, provenance=provenance)

    facts = summary.facts(Generated(chorale=piece, tokens=128, seconds=0.5, nats_per_note=0.41234))

    assert [(fact.label, fact.value) for fact in facts] == [
        ("Model", "any"),
        ("Notes", "4"),
        ("Surprisal", "0.412 nats/note"),
        ("Generated in", "0.5 s"),
        ("Seed", "42"),
    ]
    assert facts[3].meaning == "128 tokens, 256 tokens/s"


def test_rate_without_time_is_no_division_by_zero() -> None:
    """A clock may stand still."""
    assert summary.rate(10, 0.0) == "– tokens/s"


def test_memory_is_in_whole_megabytes() -> None:
    """With thousands set apart."""
    assert summary.memory(1_234_567_890) == "1,235 MB"
