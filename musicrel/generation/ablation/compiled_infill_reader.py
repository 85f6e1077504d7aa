"""An infilling model read by the kernel that predicts one cell with ablations.

The states of all steps before every layer are kept. An ablation changes one step in the first layer
that it concerns; only the layers after it are computed for all steps. See ``AblatedReader``.

Dimensions: R ablations, N cells, T steps, L layers, H heads, D width, C conditions, V vocabulary.
"""

from __future__ import annotations

import numpy as np

from musicrel.generation.ablation.ablations import NOBODY, Ablations, Floats
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.compiled import encoder, grid, voice_heads
from musicrel.model.compiled.encoder import Ablation
from musicrel.model.compiled.infiller import CompiledInfiller
from musicrel.model.compiled.steps import embed, positions, whole_steps
from musicrel.model.compiled.tiles import HEIGHT
from musicrel.model.features.interval_tables import VOICES
from musicrel.tokens import codec
from musicrel.tokens.conditions import Rows
from musicrel.tokens.vocabulary import MASK


class CompiledInfillReader:
    """A piece; the note that is predicted is hidden.

    Args:
        model: a model of family ``infill``.
        infiller: its form for the kernel.
        ids_N: int64, the tokens of all cells.
        rows_NC: int64, their condition rows.
        notes_N: number of the note of each cell.
    """

    def __init__(
        self,
        model: LoadedModel,
        infiller: CompiledInfiller,
        ids_N: codec.Ids,
        rows_NC: Rows,
        notes_N: codec.Ids,
    ) -> None:
        self._model, self._infiller, self._notes_N = model, infiller, notes_N
        self._ids_N, self._rows_NC = ids_N, rows_NC
        self._position_TD = positions(infiller.config, len(ids_N) // VOICES)[0]
        self._cell, self._states = -1, [np.zeros((0, 0), dtype=np.float32)]

    @property
    def keys(self) -> int:
        return len(self._ids_N) // VOICES

    def plain(self, cell: int) -> Floats:
        """Return the logits of a cell, (V,)."""
        return self._logits(cell, self._padded(self._states_of(cell)[-1][cell // VOICES]))

    def ablated(self, cell: int, ablations: Ablations) -> Floats:
        """Return the logits of a cell with each of some ablations, (R, V)."""
        states_of_rows = [self._state(cell, ablations, row) for row in range(len(ablations))]
        return np.stack([self._logits(cell, state_SD) for state_SD in states_of_rows])

    def weights(self, cell: int) -> Floats:
        """Return the attention weights of its step, (L, H, T), which torch records."""
        from musicrel.generation.ablation.torch_infill_reader import (  # noqa: PLC0415  # torch
            TorchInfillReader,
        )

        return TorchInfillReader(self._model, self._ids_N, self._rows_NC, self._notes_N).weights(
            cell
        )

    def lens(self, cell: int) -> Floats:
        """Return its logits with the first layers alone, (L + 1, V)."""
        step, states = cell // VOICES, self._states_of(cell)
        return np.stack([self._logits(cell, self._padded(x_TD[step])) for x_TD in states])

    def _states_of(self, cell: int) -> list[Floats]:
        """Return the states of all steps before every layer and after the last, (T, D) each."""
        if cell != self._cell:
            w, every_T = self._infiller.weights, np.arange(self.keys)
            states = [self._embedded(self._hidden(cell))]
            for n in range(self._infiller.config.layers):
                states.append(
                    encoder.run_part(states[-1], self.keys, every_T, n, n + 1, w, encoder.nothing())
                )
            self._cell, self._states = cell, states
        return self._states

    def _state(self, cell: int, ablations: Ablations, row: int) -> Floats:
        """Return the state of the step of a cell after all layers with one of the ablations."""
        w, layers, step = self._infiller.weights, self._infiller.config.layers, cell // VOICES
        states, at_1 = self._states_of(cell), np.array([step])
        if ablations.hidden_R[row] != NOBODY:
            x_TD = self._embedded(self._hidden(cell, int(ablations.hidden_R[row])))
            x_TD[step] = states[0][step]
            return encoder.run_part(x_TD, self.keys, at_1, 0, layers, w, encoder.nothing())
        ablation = self._ablation(cell, ablations, row)
        concerned = np.flatnonzero(ablation.replaced_NH.any(axis=1))
        n = 0 if ablation.removed_T.any() else int(concerned[0]) if concerned.size else layers - 1
        own_SD = encoder.run_part(states[n], self.keys, at_1, n, n + 1, w, ablation)
        if n + 1 == layers:
            return own_SD
        x_TD = states[n + 1].copy()
        x_TD[step] = own_SD[0]
        return encoder.run_part(x_TD, self.keys, at_1, n + 1, layers, w, ablation)

    def _ablation(self, cell: int, ablations: Ablations, row: int) -> Ablation:
        step, voice = divmod(cell, VOICES)
        row_T = np.where(np.arange(self.keys) == step, voice, -1)
        return Ablation(
            replaced_NH=np.ascontiguousarray(ablations.replaced_RLH[row]),
            value_5NHd=np.ascontiguousarray(ablations.values_5LHd),
            row_T=row_T,
            query=step,
            removed_T=np.ascontiguousarray(ablations.removed_RS[row]),
        )

    def _logits(self, cell: int, state_SD: Floats) -> Floats:
        """Return the logits of a cell from the state of its step."""
        step, voice = divmod(cell, VOICES)
        model, wanted_14 = self._infiller, np.arange(VOICES)[None] == voice
        logits_14V = np.zeros((1, VOICES, model.config.tokens), dtype=np.float32)
        voice_heads.set_logits(
            encoder.normalised(state_SD, model.weights),
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
        """Return the states of all steps before the first layer, padded."""
        model = self._infiller
        piece, rows_TC = self._grid(ids_N)
        inputs = grid.input_rows(piece, model.tables)
        return embed(inputs, rows_TC, self._position_TD, model.weights)

    def _grid(self, ids_N: codec.Ids) -> tuple[grid.Grid, Rows]:
        """Return the notes and the conditions of the steps."""
        model = self._infiller
        ids_1T4, rows_1TC = whole_steps(model.config, ids_N[None], self._rows_NC[None])
        return grid.of_piece(ids_1T4[0], rows_1TC[0], model.tables), rows_1TC[0]

    def _hidden(self, cell: int, voice: int = NOBODY) -> codec.Ids:
        """Return the tokens with the note of a cell hidden, and all cells of a voice."""
        ids_N = self._ids_N.copy()
        ids_N[self._notes_N == self._notes_N[cell]] = MASK
        if voice != NOBODY:
            ids_N[voice::VOICES] = MASK
        return ids_N

    @staticmethod
    def _padded(state_D: Floats) -> Floats:
        state_SD = np.zeros((HEIGHT, len(state_D)), dtype=np.float32)
        state_SD[0] = state_D
        return state_SD
