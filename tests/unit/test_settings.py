"""The app's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import settings
from musicrel.errors import FileError
from musicrel.settings import Settings


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_first_start_has_the_defaults_to_which_unusable_entries_fall_back(home: Path) -> None:
    assert settings.load() == Settings()

    home.mkdir()
    settings.file().write_text('theme = "pink"\nmodel = 3\ndevice = "cpu"\nnew = true\n')
    assert settings.load() == Settings(device="cpu")


def test_saved_settings_come_back() -> None:
    chosen = Settings(
        theme="dark",
        model='bach "2"',
        model_rewrite="both",
        save_folder="C:\\Musik\\Chöre",
        window="AQ==",
    )
    settings.save(chosen)
    assert settings.load() == chosen


@pytest.mark.parametrize(
    "text",
    ["theme = ", "\x00", 'theme = "dark', "threads = " + "9" * 5000, "theme = " + "[" * 50_000],
    ids=["cut off", "NUL", "open quote", "5,000 digits", "deep"],
)
def test_damaged_file_gives_the_defaults(
    home: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    home.mkdir()
    settings.file().write_text(text)
    assert settings.load() == Settings()
    assert "not readable" in caplog.text


def test_folder_that_cannot_be_written_is_an_error(home: Path) -> None:
    home.write_text("a file where the folder should be")
    with pytest.raises(FileError, match="cannot write"):
        settings.save(Settings())


def test_settings_of_an_earlier_version_are_kept(home: Path) -> None:
    home.mkdir()
    settings.file().write_text(
        'theme = "dark"\nmodel = "vanilla"\nsave_folder = "/scores"\nsave_suffix = ".wav"\n'
        'threads = "1"\n'  # stored for everybody who never changed it
    )

    loaded = settings.load()

    assert loaded == Settings(
        theme="dark", model="vanilla", save_folder="/scores", save_suffix=".wav"
    )
    assert (loaded.text_size, loaded.cores, loaded.at_start) == ("100", "auto", "new")


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("text_size", "900"), ("text_size", "big"), ("motion", "none"), ("cores", "0"),
        ("cores", "257"), ("cores", "-1"), ("cores", "²"), ("cores", "all"), ("cores", "9" * 500),
        ("at_start", "never"), ("sheet", "tablature"), ("first_steps", "perhaps"),
        ("device", "banana"),
    ],
)  # fmt: skip
def test_values_out_of_range_fall_back(entry: str, value: str, home: Path) -> None:
    """Also those that only a person could have written."""
    home.mkdir()
    settings.file().write_text(f'{entry} = "{value}"\nmodel = "mine"\n')
    assert settings.load() == Settings(model="mine")
