"""Redraw the page of score in docs/cli.md: a tune, harmonised by the command there and engraved.

    QT_QPA_PLATFORM=offscreen .venv/bin/python packaging/score_picture.py [TUNE] [--out FILE]

It takes a minute or two. The picture shows the file that ``musicrel harmonise`` writes, on white
paper, in shades of grey; run it again after a change of the model.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from musicrel import jobs, paths
from musicrel.chorale import Chorale
from musicrel.figures import engraver
from musicrel.figures.score import BETWEEN, SPACE, Score, ScorePainter, serif
from musicrel.score import files

TUNE = "ode-to-joy"
CANDIDATES = 8
PICTURE = Path(__file__).parent / "pictures" / "score.png"

WIDTH, MARGIN, TITLE_ROOM = 1680, 60, 110
"""Pixels; twice what the README shows, for screens with dots that fine."""
STAFF_SPACE = 13.0
TITLE = 44


def main(argv: list[str]) -> int:
    """Harmonise, engrave, paint and store; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tune", nargs="?", default=TUNE, help=f"a bundled tune (default: {TUNE})")
    parser.add_argument("--out", type=Path, default=PICTURE, help="a PNG file")
    args = parser.parse_args(argv)
    app = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        piece = harmonised(args.tune, Path(folder) / "piece.musicxml")
    store(page(piece), args.out)
    del app
    return 0


def harmonised(tune: str, path: Path) -> Chorale:
    """Write the file at ``path`` with the README's command and return its piece."""
    wanted = [
        "harmonise", tune, "--candidates", str(CANDIDATES), "--rules", "range,rests",
        "--out", str(path),
    ]  # fmt: skip
    subprocess.run([sys.executable, "-m", "musicrel", *wanted], check=True)
    return files.read(path)


def page(piece: Chorale) -> QImage:
    """Paint ``piece`` on two staves below its title; the height follows the content."""
    scale = STAFF_SPACE / SPACE
    score = jobs.run(engraver.engrave(piece, width=(WIDTH - 2 * MARGIN) / scale))
    first, *_, end = score.tops
    height = round(TITLE_ROOM + (end - BETWEEN - first) * scale + MARGIN)
    image = QImage(WIDTH, height, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    _title(painter, piece.title)
    _systems(painter, score, scale)
    painter.end()
    return image


def store(image: QImage, path: Path) -> None:
    """Write ``image`` as a PNG."""
    kept = QBuffer()
    kept.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(kept, "PNG")  # type: ignore[call-overload]  # as Qt takes it, its stubs want bytes
    paths.write_bytes(path, bytes(kept.data().data()))


def _title(painter: QPainter, title: str) -> None:
    painter.setFont(serif(TITLE))
    painter.setPen(QColor(Qt.GlobalColor.black))
    painter.drawText(QRectF(0, 0, WIDTH, TITLE_ROOM), Qt.AlignmentFlag.AlignCenter, title)


def _systems(painter: QPainter, score: Score, scale: float) -> None:
    ink = ScorePainter(painter, scale, QColor(Qt.GlobalColor.black), snaps=True)
    for system, top in zip(score.systems, score.tops, strict=False):
        place = QPointF(MARGIN, TITLE_ROOM + (top - score.tops[0]) * scale)
        ink.paint(system, place)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
