"""Key of a chorale by majority vote.

Files name modes carelessly, and Bach's modes are not ours. Three votes: the file's signature; the
key whose Krumhansl-Kessler profile correlates best with the duration of each pitch class; and the
last bass note as the tonic, in the mode that correlates better. Two that agree win. If all differ
the file decides, or, without a mode in the file, the correlation.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Final

from musicrel.analysis import keys
from musicrel.analysis.corpus import bundled, melodies
from musicrel.analysis.corpus.splits import SPLITS
from musicrel.chorale import REST, Chorale, Key, Pitches, Voice
from musicrel.score import json_file
from training import folk_tunes, reports

FOLK_FILES: Final = ("ballad40.abc", "boehme20.abc", "erk20.abc", "fink0.abc", "kinder0.abc")


def elect_key(pitches: Pitches, named: Key | None) -> Key:
    correlations = keys.correlations(pitches)
    correlated = max(correlations, key=correlations.__getitem__)
    bass = pitches[:, Voice.BASS]
    last = int(bass[bass != REST][-1])
    closing = max(
        (Key.of(last, mode) for mode in keys.KRUMHANSL_KESSLER), key=correlations.__getitem__
    )
    return correlated if correlated == closing else named or correlated


def agreement(tunes: Sequence[Chorale]) -> tuple[int, int]:
    """Count the tunes whose best correlation, and whose estimated key, is their own."""
    by_correlation = by_estimate = 0
    for tune in tunes:
        line = tune.pitches[:, [Voice.SOPRANO]]
        fits = keys.correlations(line)
        by_correlation += max(fits, key=fits.__getitem__) == tune.key
        by_estimate += keys.estimate(line) == tune.key
    return by_correlation, by_estimate


def collections() -> Mapping[str, list[Chorale]]:
    sopranos = {f"chorales, {split}": bundled.load(split) for split in SPLITS}
    own = [json_file.read(melodies.path(name)) for name in melodies.names()]
    folk = [tune.melody for file in FOLK_FILES for tune in folk_tunes.tunes(file)]
    drawn = [tune.melody for tune in folk_tunes.listed()]
    return {**sopranos, "bundled melodies": own, "essenFolksong": folk, "the twenty tunes": drawn}


@reports.script
def main(words: Sequence[str]) -> None:
    """Print how well estimated keys agree with printed ones: ``python -m training.key_votes``.

    A row has the melodies whose estimate is right by the best correlation alone and by
    ``musicrel.analysis.keys``: sopranos of the bundled chorales, bundled melodies, and tunes of
    music21's essenFolksong (their mode is read by ``training.folk_tunes``). The points of
    melodies were set by hand in view of all but the folk tunes.
    """
    reports.parser("key_votes", main.__doc__).parse_args(words)
    rows = [
        [
            name,
            str(len(tunes)),
            *(f"{100 * count / len(tunes):.1f} %" for count in agreement(tunes)),
        ]
        for name, tunes in collections().items()
    ]
    print(reports.table(["", "tunes", "best correlation", "estimate"], rows))


if __name__ == "__main__":
    sys.exit(main())
