"""No socket of the internet is opened: not by a command, not by the window."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from musicrel.score import files
from tests.faults import no_network
from tests.helpers.music import minuet

pytestmark = pytest.mark.skipif(
    not no_network.is_possible(), reason="only Linux watches the sockets of a process"
)

Answer = subprocess.CompletedProcess[str]


def watched(folder: Path, *words: str) -> Answer:
    command = [sys.executable, "-m", "tests.faults.no_network", *words]
    environment = {
        **os.environ,
        "MUSICREL_HOME": str(folder / "home"),
        "QT_QPA_PLATFORM": "offscreen",
        # Print asks the print service of the system, which has a port or a local socket
        "CUPS_SERVER": str(folder / "cups.sock"),
    }
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_a_socket_of_the_internet_kills_a_watched_process(family: str) -> None:
    start = "import socket; from tests.faults import no_network; no_network.forbid()"
    local = "socket.socket(socket.AF_UNIX).close()"
    codes = [
        subprocess.run([sys.executable, "-c", f"{start}; {work}"], check=False).returncode
        for work in (local, f"socket.socket(socket.{family})")
    ]
    assert codes == [0, -signal.SIGSYS]


def test_a_file_is_converted_without_a_socket(tmp_path: Path) -> None:
    files.write(minuet(), tmp_path / "a.mid")
    answer = watched(
        tmp_path, "musicrel", "convert", str(tmp_path / "a.mid"), str(tmp_path / "a.musicxml")
    )
    assert answer.returncode == 0, answer.stderr


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "words",
    [
        ("generate", "--bars", "2", "--quality", "draft"),
        ("train", "--recipe", "tiny", "--device", "cpu"),
        ("compare", "--study", "smoke", "--device", "cpu"),
    ],
    ids=lambda words: words[0],
)
def test_a_command_opens_no_socket(tmp_path: Path, words: tuple[str, ...]) -> None:
    answer = watched(tmp_path, "musicrel", *words, "--out", str(tmp_path / "out"))
    assert answer.returncode == 0, answer.stderr
    runs = [path.parent for path in (tmp_path / "out").rglob("run.json")]
    assert all((run / "result.json").exists() for run in runs)


@pytest.mark.timeout(900)
def test_the_window_opens_no_socket(tmp_path: Path) -> None:
    answer = watched(tmp_path, "tests.soak.soak", "--minutes", "1")
    assert answer.returncode >= 0, answer.stderr[
        -3000:
    ]  # 1 if the memory has grown in its first minute
    assert "minute 1:" in answer.stdout
