"""``python -m musicrel.model.compiled``: compile the decoding step into the user's cache folder.

Set-up runs it, so that the first piece does not wait for the compiler.
"""

from __future__ import annotations

import safetensors.numpy

from musicrel import paths
from musicrel.model.card import WEIGHTS, read_card
from musicrel.model.compiled.decoder import CompiledDecoder, CompiledModel
from musicrel.tokens.conditions import positional_rows
from musicrel.tokens.vocabulary import START

_MODEL = "relative"


def main() -> None:
    """Decode two tokens with a shipped model; all models have the same compiled step."""
    folder = paths.assets() / "models" / _MODEL
    config = read_card(folder).config
    model = CompiledModel.of(config, safetensors.numpy.load_file(folder / WEIGHTS))
    rows_BTC = positional_rows(2, tuple(config.conditions))[None]
    decoder = CompiledDecoder(model, rows_BTC, record=True)
    decoder.prefill(rows_BTC[:, :1, 0] * 0 + START)
    decoder.step(rows_BTC[:, 0, 0] * 0 + START)


if __name__ == "__main__":
    main()
