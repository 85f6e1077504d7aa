"""Evidence of notes for a key: the table of scale degrees, and the scale that calibrates it.

    python -m training.comparisons.key_evidence

Prints the share of each scale degree in the training chorales (``key_evidence.DEGREES``), and for
several scales of the log-likelihood the loss of the keys of the validation chorales, in nats, and
the share of them with the greatest probability, after 4 and 8 bars and at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Key, Mode
from musicrel.corpus import bundled
from musicrel.generation.causal import key_evidence
from musicrel.generation.sampling import Floats

SCALES: Final = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
STEPS: Final = (64, 128, None)
"""Steps that are read; None: all."""
_SMOOTHING: Final = 0.001
KEYS: Final = tuple(Key.of(tonic, mode) for mode in key_evidence.DEGREES for tonic in range(12))


def degrees(chorales: Iterable[Chorale], mode: Mode) -> Floats:
    """Return the mean share of each scale degree in the durations of a piece, float64 (12,)."""
    shares = [
        _degrees(piece, piece.key) for piece in chorales if piece.key and piece.key.mode == mode
    ]
    smoothed = np.mean(shares, axis=0) + _SMOOTHING
    return np.asarray(smoothed / smoothed.sum())


def _degrees(piece: Chorale, key: Key) -> Floats:
    pitches = piece.pitches[piece.pitches != REST]
    counts = np.bincount((pitches - key.pitch_class) % 12, minlength=12)
    return np.asarray(counts / counts.sum())


def losses(chorales: Iterable[Chorale], scale: float, steps: int | None) -> tuple[float, float]:
    """Return the loss of the keys of some pieces in nats, and the share of keys that are found."""
    nats, found = [], []
    for piece in chorales:
        if piece.key is None:
            continue
        log_p = [
            float(key_evidence.log_posterior(piece.pitches[None, :steps], key, scale)[0])
            for key in KEYS
        ]
        nats.append(-log_p[KEYS.index(piece.key)])
        found.append(KEYS[int(np.argmax(log_p))] == piece.key)
    return float(np.mean(nats)), float(np.mean(found))


def main() -> None:
    """Print the table and the losses."""
    training, validation = bundled.load("train"), bundled.load("valid")
    for mode in key_evidence.DEGREES:
        print(mode, *(f"{share:.4f}" for share in degrees(training, mode)))
    for steps in STEPS:
        for scale in SCALES:
            nats, found = losses(validation, scale, steps)
            print(f"{steps or 'all'} steps, scale {scale}: {nats:.3f} nats, {found:.0%}")


if __name__ == "__main__":
    main()
