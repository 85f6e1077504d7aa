"""The sound part of the bench, with a short piece."""

from __future__ import annotations

from musicrel.bench import sound


def test_every_row_is_a_ratio() -> None:
    """Rendering is compared with the duration of the music, all other work with rendering.

    An instrument of a SoundFont is measured where FluidSynth is installed.
    """
    organ, *others, start, block = sound.rows(seconds=2)

    assert organ["name"] == "sound of 2 s of music"
    assert organ["ratio_to"] == block["ratio_to"] == "its duration"
    assert {row["ratio_to"] for row in (*others, start)} == {organ["name"]}
    assert others[0]["name"] == f"{organ['name']}, choir"
    assert start["unit"] == "s"
    assert block["unit"] == "ms"
