"""The sound part of the bench, with a short piece."""

from __future__ import annotations

from musicrel.bench import sound


def test_every_row_is_a_ratio() -> None:
    """Rendering is compared with the duration of the music, all other work with rendering."""
    rows = sound.rows(seconds=2)

    organ, choir, start, block = rows
    assert organ["name"] == "sound of 2 s of music"
    assert [row["ratio_to"] for row in rows] == [
        "its duration", organ["name"], organ["name"], "its duration",
    ]  # fmt: skip
    assert choir["name"] == f"{organ['name']}, choir"
    assert start["unit"] == "s"
    assert block["unit"] == "ms"
