"""What keeps the sound coming: one tape, one output, one thread that works ahead.

Three threads meet here. The user's steers and asks; the output's takes frames; the engine's own
makes sound ahead, opens the device and gives it back. One lock guards what they share; it is never
held while sound is made or mixed, or a device is opened or closed. This file knows tapes and
outputs; it knows nothing of the mixer's controls, of MIDI or of windows.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal

import numpy as np

from musicrel.playback.audio import FAULT, DeviceError, Output, Seconds, Silence
from musicrel.playback.audio_callback import Deck, Mixer
from musicrel.playback.background_thread import Worker
from musicrel.playback.render_cache import Stock
from musicrel.playback.transport import Span, Transport
from musicrel.score.audio.timbre import Samples

IDLE: Final = 5.0
"""Seconds of standing still after which the device is given back."""

_LEAD: Final = 0.15
"""Seconds of sound that must be made before a device is opened or a tape exchanged."""


class Engine:
    """Plays tapes.

    Args:
        device: the output for sound.
        gains: of the mixer, float32 (4, 4).
        clock: seconds; moves the tape where there is no device.
        threaded: work ahead in a thread; False leaves that to calls of ``work``.
    """

    def __init__(self, device: Output, gains: Samples, clock: Seconds, *, threaded: bool) -> None:
        self._device = device
        self._silence = Silence(clock, device.rate)
        self._moved_by: Literal["nothing", "device", "clock"] = "nothing"
        self._ticket = 0
        """Numbers the outputs: a device that was given up may still ask for a while."""
        self._opened = False
        self._problem = ""
        self._soundless = False
        self._transport: Transport[Stock] | None = None
        self._coming: Stock | None = None
        self._loop: tuple[float, float] | None = None
        self._deck, self._mixer, self._gains = Deck(), Mixer(gains), gains
        self._clock, self._ran = clock, clock()
        self._lead = round(_LEAD * device.rate)
        self._lock = threading.RLock()
        self._worker = Worker(self.work, self._fail) if threaded else None

    @property
    def stock(self) -> Stock | None:
        """The tape put on last."""
        with self._lock:
            return self._coming or (self._transport.tape if self._transport else None)

    @property
    def runs(self) -> bool:
        """Whether the tape runs or is about to."""
        with self._lock:
            self._look()
            return self._transport is not None and self._transport.runs

    @property
    def problem(self) -> str:
        """What is missing, in one sentence; empty where all is well."""
        with self._lock:
            self._look()
            return self._problem

    def step(self) -> float:
        """Where the playhead is, fractions of a step included."""
        with self._lock:
            self._look()
            stock = self.stock
            return min(self._heard_step(), float(stock.steps)) if stock else 0.0

    def put_on(self, stock: Stock, *, rewind: bool) -> None:
        """Play ``stock`` from now on, at the step where the last one is, or from the beginning."""
        with self._lock:
            self._look()
            self._coming = None
            if self._transport is None:
                self._transport = Transport(stock)
            elif self._transport.runs and self._moved_by == "device" and not rewind:
                self._coming = stock  # the old sound goes on until the new one is made
            else:
                self._exchange(self._transport, stock)
                if rewind:
                    self._transport.seek(0)
            self._place_loop()
            self._stir()

    def play(self) -> None:
        """Let the tape run; from the beginning, or the loop's, where the piece is at its end."""
        with self._lock:
            transport = self._transport
            if transport is None:
                return
            self._look()
            if transport.position >= transport.tape.frame_at(transport.tape.steps):
                transport.seek(transport.loop[0] if transport.loop else 0)
            transport.runs = True
            if self._soundless:
                self._go_by_clock()
            elif self._moved_by == "clock":
                self._leave_output()  # and try for a device once more
            self._stir()

    def pause(self) -> None:
        """Let the tape stand still."""
        with self._lock:
            self._look()
            if self._transport is not None:
                self._transport.runs = False

    def seek(self, step: float) -> None:
        """Jump to ``step``."""
        with self._lock:
            self._look()
            if self._transport is not None:
                self._transport.seek(self._transport.tape.frame_at(step))
                self._stir()

    def set_loop(self, steps: tuple[float, float] | None) -> None:
        """Repeat the half-open range ``steps``, or nothing."""
        with self._lock:
            self._look()
            self._loop = steps
            self._place_loop()
            self._stir()

    def set_gains(self, gains: Samples) -> None:
        """Slide to ``gains``, float32 (4, 4)."""
        with self._lock:
            self._gains = gains

    def set_soundless(self, *, soundless: bool) -> None:
        """Run by the clock alone, or with sound again."""
        with self._lock:
            self._look()
            self._soundless, self._problem = soundless, ""
            self._leave_output()
            if soundless:
                self._go_by_clock()
            self._stir()

    def close(self) -> None:
        """Be silent for good; the thread ends after the piece of sound it is at."""
        self.pause()
        with self._lock:
            self._leave_output()
        if self._worker is not None:
            self._worker.close()
        self._device.stop()

    def work(self) -> bool:
        """Do one piece of the work ahead; whether there was one to do."""
        with self._lock:
            self._look()
            transport, coming = self._transport, self._coming
            if transport is None:
                return False
            tape, position, loop = transport.tape, transport.position, transport.loop
            if transport.runs:
                self._ran = self._clock()
        if coming is not None:
            return self._make_ready(coming, transport)
        if self._open(transport):
            return True
        if not self._soundless and tape.make(position, loop):
            return True
        self._rest(transport)
        return False

    def _make_ready(self, coming: Stock, transport: Transport[Stock]) -> bool:
        """Make the coming tape where it is needed first, then exchange the tapes."""
        with self._lock:
            position = coming.frame_at(transport.tape.step_at(transport.position))
            if coming is self._coming and coming.ready(position, self._lead):
                self._coming = None
                self._exchange(transport, coming)
                return True
        return coming.make(position, None)

    def _exchange(self, transport: Transport[Stock], stock: Stock) -> None:
        """Put ``stock`` on at the step where the reading end is."""
        transport.exchange(stock, stock.frame_at(transport.tape.step_at(transport.position)))
        self._place_loop()

    def _place_loop(self) -> None:
        if self._transport is not None:
            first, last = (self._transport.tape.frame_at(step) for step in self._loop or (0, 0))
            self._transport.loop = (first, last) if first < last else None

    def _open(self, transport: Transport[Stock]) -> bool:
        """Start the device if the tape is to run and nothing moves it; whether that was so."""
        with self._lock:
            if not transport.runs or self._moved_by != "nothing":
                return False
            if not transport.tape.ready(transport.position, self._lead):
                return False
            self._leave_output()
            self._deck, self._mixer = Deck(), Mixer(self._gains)
            self._opened, ticket = True, self._ticket
        problem = ""
        try:
            self._device.start(partial(self._pull, ticket))
        except DeviceError as reason:
            problem = str(reason)
        with self._lock:
            if ticket == self._ticket:
                self._problem, self._moved_by = problem, "device"
                if problem:
                    self._go_by_clock()
        return True

    def _rest(self, transport: Transport[Stock]) -> None:
        """Close a device that is not needed, or has not been for a while."""
        with self._lock:
            idle = not transport.runs and self._clock() - self._ran >= IDLE
            if idle and self._moved_by == "device":
                self._leave_output()
            unused = self._opened and self._moved_by != "device"
            self._opened = self._opened and not unused
        if unused:
            self._device.stop()

    def _pull(self, ticket: int, frames: int) -> Samples:
        """The next ``frames`` for both ears, float32 (frames, 2)."""
        with self._lock:
            transport = self._transport
            if transport is None or ticket != self._ticket:
                return np.zeros((frames, 2), dtype=np.float32)
            tape, gains, deck, mixer = transport.tape, self._gains, self._deck, self._mixer
            waits = transport.runs and not tape.ready(transport.position, frames)
            spans = transport.hold(frames) if waits else transport.advance(frames)
            self._stir()
        return mixer.mix(_read(deck, tape, spans), gains)

    def _look(self) -> None:
        """Let the clock move the tape where nothing else does, and see whether the device lives."""
        if self._moved_by == "clock" and self._transport is not None:
            self._transport.advance(self._silence.passed() - self._transport.taken)
        elif self._moved_by == "device" and self._device.problem():
            self._problem = self._device.problem()
            self._go_by_clock()

    def _heard_step(self) -> float:
        """The step that is heard now."""
        if self._transport is None:
            return 0.0
        heard = 0.0
        if self._moved_by == "device":
            heard = self._device.heard()
        elif self._moved_by == "clock":
            heard = float(self._transport.taken)
        tape, position = self._transport.heard_at(heard)
        return tape.step_at(position)

    def _go_by_clock(self) -> None:
        """Let the clock move the tape from now on."""
        self._leave_output()
        self._silence.start()
        self._moved_by = "clock"

    def _leave_output(self) -> None:
        """Let nothing move the tape; it goes back to where it was heard last."""
        if self._transport is not None:
            self._transport.restart(self._transport.tape.frame_at(self._heard_step()))
        self._moved_by = "nothing"
        self._ticket += 1

    def _stir(self) -> None:
        if self._worker is not None:
            self._worker.stir()

    def _fail(self) -> None:
        """Stand still and say so: the work ahead has a fault."""
        self.pause()
        with self._lock:
            self._problem = FAULT


def _read(deck: Deck, tape: Stock, spans: Sequence[Span]) -> Samples:
    """The stems along ``spans``, float32 (3, 4, frames)."""
    parts = [deck.read(tape if span.runs else None, span.position, span.frames) for span in spans]
    return np.concatenate(parts, axis=-1)
