"""A piece read by the kernel with an infilling model; see ``NoteReader``.

Dimensions: R ablations, N cells, V vocabulary, T steps, S wanted steps, D width, C
conditions, L layers.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from musicrel.interpretability.ablation import InfillNoteReader, NoteReader
from musicrel.model.compiled import encoder, grid, voice_heads
from musicrel.model.compiled.arithmetic import Floats
from musicrel.model.compiled.encoder import embed, positions, whole_steps
from musicrel.model.features.interval_tables import VOICES
from musicrel.model.replaced_heads import Ablations
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import Rows


class CompiledInfillReader(InfillNoteReader):
    """A piece for an infilling model; the note that is predicted is hidden.

    The states of all steps before every layer are kept. An ablation changes one step in the first
    layer that it concerns; only the layers after it are computed for all steps.
    """

    def _prepare(self) -> None:
        super()._prepare()
        infiller = self.model.compiled_infiller
        assert infiller is not None  # noqa: S101  # see ``open_reader``
        self._infiller = infiller
        self._position_TD = positions(infiller.config, self.keys)[0]
        self._cell, self._states = -1, [np.zeros((0, 0), dtype=np.float32)]

    def _plain(self, cell: int) -> Floats:
        return self._logits(cell, self._states_of(cell)[-1][[cell // VOICES]])

    def _ablated(self, cell: int, ablations: Ablations) -> Floats:
        return np.stack([self._logits(cell, self._state(cell, one)) for one in ablations.parts(1)])

    def _without_voices(self, cell: int) -> Floats:
        step, at_1, w = cell // VOICES, np.array([cell // VOICES]), self._infiller.weights.layers
        found = []
        for voice in range(VOICES):
            x_TD = self._embedded(self._hidden(cell, voice))
            x_TD[step] = self._states_of(cell)[0][step]
            layers = self.model.config.layers
            state_SD = encoder.run_part(x_TD, at_1, 0, layers, w, encoder.nothing())
            found.append(self._logits(cell, state_SD))
        return np.stack(found)

    def weights(self, cell: int) -> Floats:
        return self._by_torch.weights(cell)

    @cached_property
    def _by_torch(self) -> NoteReader:
        from musicrel.interpretability import torch_reader

        return torch_reader.TorchInfillReader(self.model, self.chorale, self._names)

    def _lens(self, cell: int) -> Floats:
        step, states = cell // VOICES, self._states_of(cell)
        return np.stack([self._logits(cell, x_TD[[step]]) for x_TD in states])

    def _states_of(self, cell: int) -> list[Floats]:
        """Return the states of all steps before every layer and after the last, (T, D) each."""
        if cell != self._cell:
            w, every_T = self._infiller.weights.layers, np.arange(self.keys)
            states = [self._embedded(self._hidden(cell))]
            for n in range(self._infiller.config.layers):
                states.append(encoder.run_part(states[-1], every_T, n, n + 1, w, encoder.nothing()))
            self._cell, self._states = cell, states
        return self._states

    def _state(self, cell: int, ablations: Ablations) -> Floats:
        step, layers, w = cell // VOICES, self.model.config.layers, self._infiller.weights.layers
        states, at_1 = self._states_of(cell), np.array([step])
        ablation = encoder.at_step(ablations, step, cell % VOICES, self.keys)
        concerned = np.flatnonzero(ablation.replaced_NH.any(axis=1))
        n = 0 if ablation.removed_T.any() else int(concerned[0]) if concerned.size else layers - 1
        own_SD = encoder.run_part(states[n], at_1, n, n + 1, w, ablation)
        if n + 1 == layers:
            return own_SD
        x_TD = states[n + 1].copy()
        x_TD[step] = own_SD[0]
        return encoder.run_part(x_TD, at_1, n + 1, layers, w, ablation)

    def _logits(self, cell: int, state_SD: Floats) -> Floats:
        step, voice = divmod(cell, VOICES)
        model, wanted_14 = self._infiller, np.arange(VOICES)[None] == voice
        logits_14V = np.zeros((1, VOICES, model.config.tokens), dtype=np.float32)
        voice_heads.set_logits(
            encoder.normalised(state_SD, model.weights.layers),
            np.array([step]),
            wanted_14,
            self._grid(self._hidden(cell))[0],
            model.heads,
            model.tables,
            model.biases,
            logits_14V,
        )
        logits_V: Floats = logits_14V[0, voice]
        return logits_V

    def _embedded(self, ids_N: codec.Ids) -> Floats:
        model = self._infiller
        piece, rows_TC = self._grid(ids_N)
        inputs = grid.input_rows(piece, model.tables)
        return embed(inputs, rows_TC, self._position_TD, model.weights)

    def _grid(self, ids_N: codec.Ids) -> tuple[grid.Grid, Rows]:
        model = self._infiller
        ids_1T4, rows_1TC = whole_steps(model.config, ids_N[None], self._rows_NC[None])
        return grid.of_piece(ids_1T4[0], rows_1TC[0], model.tables), rows_1TC[0]
