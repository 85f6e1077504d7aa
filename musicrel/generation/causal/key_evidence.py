"""Evidence of the notes for the key of their piece, for a search that keeps to a key.

A model reads the requested key in every step and still drifts to a neighbouring key in what it has
written itself. The search therefore weighs particles by the posterior probability of the key given
the notes so far, by Bayes' rule over the 24 keys. Durations of pitch classes are taken for
independent draws from the scale degrees of the training chorales. Notes are not independent, so
their log-likelihood is scaled until the posterior is calibrated.

Source: Dhariwal and Nichol 2021, "Diffusion Models Beat GANs on Image Synthesis", section 4
(classifier guidance); Temperley 2007, "Music and Probability", chapter 4 (keys by Bayes' rule).

Dimensions: K particles, T steps, P pitch classes, Q keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import REST, STEPS_PER_QUARTER, Key, Mode
from musicrel.generation.sampling import Floats

DEGREES: Final[Mapping[Mode, tuple[float, ...]]] = MappingProxyType(
    {
        "major": (
            *(0.1966, 0.0084, 0.1320, 0.0024, 0.1373, 0.0854),
            *(0.0166, 0.2057, 0.0073, 0.1129, 0.0118, 0.0837),
        ),
        "minor": (
            *(0.1913, 0.0075, 0.1084, 0.1335, 0.0208, 0.1143),
            *(0.0078, 0.1953, 0.0612, 0.0228, 0.0968, 0.0403),
        ),
    }
)
"""Share of each scale degree in the durations of a training chorale, from the tonic up."""
PER_QUARTER: Final = 0.15
"""Scale of the log-likelihood of a note of a quarter. Of 0.02 to 1 it gives the greatest likelihood
to the keys of the validation chorales after 8 bars (``training.comparisons.key_evidence``)."""
_LOG_LIKELIHOOD_QP: Final = np.stack(
    [np.roll(np.log(degrees), tonic) for degrees in DEGREES.values() for tonic in range(12)]
)


def log_posterior(
    pitches_KT4: npt.NDArray[np.integer], key: Key, scale: float = PER_QUARTER
) -> Floats:
    """Return the log-probability of ``key`` given the notes, float64 (K,).

    Args:
        pitches_KT4: int (K, T, 4), MIDI pitches or ``REST``.
        key: one of the 24 keys.
        scale: factor of the log-likelihood of a note of a quarter.
    """
    cells_KN = np.where(pitches_KT4 == REST, 12, pitches_KT4 % 12).reshape(len(pitches_KT4), -1)
    steps_KP = np.stack([np.bincount(cells_N, minlength=13)[:12] for cells_N in cells_KN])
    scores_KQ = (scale / STEPS_PER_QUARTER) * steps_KP @ _LOG_LIKELIHOOD_QP.T
    mode = [*DEGREES].index(key.mode)
    own_K = scores_KQ[:, 12 * mode + key.pitch_class]
    return np.asarray(own_K - np.logaddexp.reduce(scores_KQ, axis=1))
