"""The bundled melodies."""

from __future__ import annotations

import pytest

from musicrel import paths
from musicrel.chorale import REST, Voice
from musicrel.corpus import melodies
from musicrel.errors import UsageError
from musicrel.score import files

LOWEST, HIGHEST = 60, 81


def test_there_are_a_dozen_each_with_its_origin() -> None:
    """SOURCE.md has a row for every file."""
    source = (paths.assets() / melodies.FOLDER / "SOURCE.md").read_text(encoding="utf-8")

    assert len(melodies.names()) >= 12
    for name in melodies.names():
        assert f"| {name} | {files.read(melodies.path(name)).title} |" in source


@pytest.mark.parametrize("name", melodies.names())
def test_a_tune_is_ready_to_be_harmonised(name: str) -> None:
    """Only the soprano has notes, in its range, in a key, with phrases that end under fermatas."""
    tune = files.read(melodies.path(name))

    pitches = tune.pitches[:, Voice.SOPRANO]
    assert pitches.min() >= LOWEST
    assert pitches.max() <= HIGHEST
    assert (tune.pitches[:, Voice.ALTO :] == REST).all()
    assert tune.key is not None
    assert pitches[-1] % 12 in {tune.key.pitch_class, (tune.key.pitch_class + 7) % 12}
    assert tune.fermatas[-1]
    assert (tune.steps % tune.meter.steps) == 0


def test_an_unknown_tune_is_a_usage_error() -> None:
    """The message lists the known ones."""
    with pytest.raises(UsageError, match=r"no tune 'x': expected one of .*old-hundredth"):
        melodies.path("x")
