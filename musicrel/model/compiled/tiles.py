"""Matrix products by tiles: a few rows by one panel of columns, summed in vector registers.

A row of the result depends on that row alone, to the bit: its sums run over the inputs in order,
in tiles of every size. The compiler does not find this form for loops over arrays, so a tile is
written in its intermediate language; vectors longer than the processor's are split by it.

Dimensions: R rows, I inputs, O outputs, P panels of n columns each.
"""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from musicrel.model.compiled.arithmetic import F32, Floats, compiled_exactly

_FEATURES: Final = binding.get_host_cpu_features()
_LANES: Final = 16 if _FEATURES.get("avx512f") else 8 if _FEATURES.get("avx2") else 4
"""Numbers in a vector register."""
_VECTORS: Final = 2
PANEL: Final = _VECTORS * _LANES
"""Columns n of a panel."""
_IS_ARM: Final = platform.machine().lower() in {"arm64", "aarch64"}
_REGISTERS: Final = 32 if _IS_ARM or _FEATURES.get("avx512f") else 16
HEIGHT: Final = (_REGISTERS - _VECTORS - 1) // _VECTORS // 2 * 2
"""Rows of the highest tile: its sums, the weights and an input fill the registers."""
_ABREAST: Final = 2
"""Panels of the tile of a few rows, whose sums would otherwise wait for each other."""
_FEW: Final = 2
_SIZES: Final = (
    *((height, 1) for height in range(1, HEIGHT + 1)),
    *((height, _ABREAST) for height in range(1, _FEW + 1)),
)
"""Rows and panels of all tiles."""
_IS_FUSED: Final = _IS_ARM or bool(_FEATURES.get("fma"))
"""True where the processor multiplies and adds with a single rounding."""

_BYTES: Final = 4
_INT: Final = ir.IntType(64)
_POINTER: Final = ir.IntType(8).as_pointer()
_FLOAT: Final = ir.FloatType()
_VECTOR: Final = ir.VectorType(_FLOAT, _LANES)
_INTEGERS: Final = ir.VectorType(ir.IntType(32), _LANES)
_UNDEFINED: Final = ir.Constant(_VECTOR, ir.Undefined)
_FIRST_LANE: Final = ir.Constant(_INTEGERS, [0] * _LANES)


def padded(size: int, unit: int = PANEL) -> int:
    """Return the smallest multiple of ``unit`` that is at least ``size``."""
    return -(-size // unit) * unit


def panels(w_IO: Floats) -> Floats:
    """Return the columns of a matrix, float32, in panels filled up with zeros: (P, I, n)."""
    inputs, outputs = w_IO.shape
    wide_IO = np.zeros((inputs, padded(outputs)), dtype=F32)
    wide_IO[:, :outputs] = w_IO
    return np.ascontiguousarray(wide_IO.reshape(inputs, -1, PANEL).transpose(1, 0, 2))


@intrinsic  # type: ignore[untyped-decorator]  # numba has no types
def _add_tile(
    _context: Any, x: Any, _row: Any, _column: Any, w: Any, _panel: Any, y: Any, _place: Any,
    _height: Any, _breadth: Any,
) -> Any:  # fmt: skip
    """Add to y[place:, panel:] the product of x[row:, column:] and the panels of w."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        x, w, y = (_Array(context, builder, signature, arguments, n) for n in (0, 3, 5))
        _, row, column, _, panel, _, place, height, breadth = arguments
        x_first, w_first = x.at(row, column), w.at(panel, _INT(0), _INT(0))
        y_first = y.at(place, builder.mul(panel, _INT(PANEL)))
        strides = x.strides[0], w.strides[0], y.strides[0]
        sizes = w.shape[1], height, breadth
        builder.call(_tiles(builder.module), (x_first, w_first, y_first, *strides, *sizes))
        return context.get_dummy_value()

    places = types.int64
    return types.void(x, places, places, w, places, y, places, places, places), generate


class _Array:
    """An array among the arguments of a function that is being generated."""

    def __init__(
        self, context: Any, builder: Any, signature: Any, arguments: Any, number: int
    ) -> None:
        made = arrayobj.make_array(signature.args[number])(context, builder, arguments[number])
        self._builder = builder
        self._data = builder.bitcast(made.data, _POINTER)
        self.strides = cgutils.unpack_tuple(builder, made.strides)
        self.shape = cgutils.unpack_tuple(builder, made.shape)

    def at(self, *indices: Any) -> Any:
        return _moved(self._builder, self._data, *zip(self.strides, indices, strict=True))


def _moved(builder: Any, address: Any, *steps: tuple[Any, Any]) -> Any:
    for stride, index in steps:
        address = builder.gep(address, [builder.mul(stride, index)])
    return address


def _tiles(module: Any) -> Any:
    """Return the function of a module that adds a tile of any size.

    It is not inlined, which would take the compiler minutes.
    """
    form = ir.FunctionType(ir.VoidType(), [_POINTER] * 3 + [_INT] * 6)
    function = cgutils.get_or_insert_function(module, form, "musicrel_add_tile")
    if not function.is_declaration:
        return function
    function.linkage = "internal"
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    x, w, y, x_stride, w_stride, y_stride, inputs, height, breadth = function.args
    for rows, panels in _SIZES:
        is_height = builder.icmp_signed("==", height, _INT(rows))
        is_breadth = builder.icmp_signed("==", breadth, _INT(panels))
        with builder.if_then(builder.and_(is_height, is_breadth)):
            tile = _Tile(
                builder,
                rows=[_moved(builder, x, (x_stride, _INT(r))) for r in range(rows)],
                weights=[_moved(builder, w, (w_stride, _INT(p))) for p in range(panels)],
                sums=[_moved(builder, y, (y_stride, _INT(r))) for r in range(rows)],
            )
            tile.add(inputs)
    builder.ret_void()
    return function


class _Tile:
    def __init__(
        self,
        builder: Any,
        *,
        rows: Sequence[Any],
        weights: Sequence[Any],
        sums: Sequence[Any],
    ) -> None:
        self._builder, self._rows, self._weights = builder, rows, weights
        vectors = _VECTORS * len(weights)
        self._sums = [[self._vector_at(first, n) for n in range(vectors)] for first in sums]

    def add(self, inputs: Any) -> None:
        registers = [
            [cgutils.alloca_once_value(self._builder, self._load(place)) for place in row]
            for row in self._sums
        ]
        with cgutils.for_range(self._builder, inputs, intp=_INT) as loop:
            self._add_input(loop.index, registers)
        for register_row, row in zip(registers, self._sums, strict=True):
            for register, place in zip(register_row, row, strict=True):
                self._builder.store(self._builder.load(register), place).align = _BYTES

    def _add_input(self, index: Any, registers: Sequence[Sequence[Any]]) -> None:
        builder = self._builder
        place = builder.mul(index, _INT(PANEL * _BYTES))
        starts = [builder.gep(first, [place]) for first in self._weights]
        w = [self._load(self._vector_at(start, n)) for start in starts for n in range(_VECTORS)]
        for first, register_row in zip(self._rows, registers, strict=True):
            x = self._broadcast(builder.gep(first, [builder.mul(index, _INT(_BYTES))]))
            for register, vector in zip(register_row, w, strict=True):
                builder.store(self._multiplied(x, vector, builder.load(register)), register)

    def _multiplied(self, x: Any, vector: Any, total: Any) -> Any:
        """Return the product added to ``total``, never rounded in another way by the compiler."""
        if not _IS_FUSED:
            return self._builder.fadd(total, self._builder.fmul(x, vector))
        form = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
        name = f"llvm.fma.v{_LANES}f32"
        fused = cgutils.get_or_insert_function(self._builder.module, form, name)
        return self._builder.call(fused, (x, vector, total))

    def _broadcast(self, address: Any) -> Any:
        builder = self._builder
        number = builder.load(builder.bitcast(address, _FLOAT.as_pointer()))
        single = builder.insert_element(_UNDEFINED, number, ir.IntType(32)(0))
        return builder.shuffle_vector(single, _UNDEFINED, _FIRST_LANE)

    def _load(self, place: Any) -> Any:
        loaded = self._builder.load(place)
        loaded.align = _BYTES
        return loaded

    def _vector_at(self, address: Any, number: int) -> Any:
        place = self._builder.gep(address, [_INT(number * _LANES * _BYTES)])
        return self._builder.bitcast(place, _VECTOR.as_pointer())


@compiled_exactly
def add_product(
    x_RI: Floats,
    row: int,
    column: int,
    rows: int,
    panels_PIn: Floats,
    y_RO: Floats,
    place: int,
) -> None:
    """Add a product to ``y_RO``.

    Args:
        x_RI: inputs, contiguous in each row: those from ``column`` on are read.
        row: first row that is read.
        column: first input.
        y_RO: gets the sums; its rows are contiguous and hold all columns of the panels.
        place: row of the first sum.
    """
    tiles = -(-rows // HEIGHT)
    breadth = _ABREAST if rows <= _FEW else 1
    for panel in range(0, panels_PIn.shape[0], breadth):
        abreast, done = min(breadth, panels_PIn.shape[0] - panel), 0
        for tile in range(tiles):
            height = (rows - done) // (tiles - tile)
            _add_tile(
                x_RI, row + done, column, panels_PIn, panel, y_RO, place + done, height, abreast
            )
            done += height
