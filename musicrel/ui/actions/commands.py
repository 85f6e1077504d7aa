"""All commands of the window in one table: text, keys, tooltip; and the menus they are in.

Controllers connect them. ``ENABLED_WHEN`` has the reasons why they are disabled, as far as the
document knows; controllers disable the others with ``set_enabled``: what depends on the form, the
mark, the takes that are selected, or on model B.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias, cast

from PySide6.QtCore import QMimeData, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QLabel,
    QMenu,
    QMenuBar,
    QWidget,
)

from musicrel.chorale import Voice
from musicrel.language import tr
from musicrel.presentation.compose import models
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words import display_names, keys
from musicrel.presentation.words.keys import with_keys
from musicrel.presentation.words.pages import PAGES
from musicrel.project.contents import MAX_RATING
from musicrel.score.editing.clipboard import NOT_A_CLIP
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.settings import THEMES
from musicrel.ui.document.document import GENERATING, NO_PIECE, Document
from musicrel.ui.widgets import icons

TO_VOICE: Final = tr("Move to the &{voice}")
BY_BARS: Final = tr("By &{bars} bars")
OF_BARS: Final = tr("Of &{bars} bars")
_COMPARE: Final = tr("Compare &with")
_MORE_MODELS: Final = tr("&More")

_KEYS: Final = QKeySequence.StandardKey
Key: TypeAlias = str | QKeySequence.StandardKey


class Command(NamedTuple):
    text: str
    keys: Key | tuple[str, ...] = ""
    tip: str = ""  # the tooltip of the enabled command; "": its text
    icon: str = ""
    toggle: bool = False
    on: bool = False  # whether a toggle begins checked
    local: bool = False  # whether its keys work only while its own views have the focus


# part and name of a command -> what it is
REWRITE_TIP: Final = tr(
    "Rewrite the notes around this violation as several candidates that keep the rule; locked "
    "notes and, where possible, the melody are kept ({key[rules.rewrite]})"
)
COMMANDS: Final[Mapping[str, Command]] = {
    "undo": Command(tr("&Undo"), _KEYS.Undo),
    "redo": Command(tr("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    "generate": Command(tr("&Generate"), "Ctrl+G"),
    "stop": Command(tr("S&top"), "Esc"),
    "new_seed": Command(tr("New &random seed"), "Ctrl+R"),
    "zoom_in": Command(tr("Zoom &in"), ("Ctrl++", "Ctrl+=")),
    "zoom_out": Command(tr("Zoom &out"), "Ctrl+-"),
    "zoom_fit": Command(tr("Fit &whole piece"), "Ctrl+0"),
    "taller": Command(tr("Zoom in &vertically"), ("Ctrl+Alt++", "Ctrl+Alt+=")),
    "flatter": Command(tr("Zoom out verticall&y"), "Ctrl+Alt+-"),
    "score": Command(tr("&Score"), "Ctrl+E", toggle=True),
    "four_staves": Command(tr("&Four staves"), "Ctrl+Shift+E", toggle=True),
    "numerals": Command(tr("Roman &numerals"), "Ctrl+Shift+H", toggle=True),
    "figures": Command(
        tr("Figured &bass"), tip=tr("Write the intervals above the bass below it, also in files"),
        toggle=True,
    ),
    "repeat_signs": Command(
        tr("Repeat si&gns in print and files"),
        tip=tr("Write what comes twice once, with repeat signs, in PDF, print and MusicXML"),
        toggle=True,
    ),
    "next_part": Command(tr("Form, sheet or ta&kes"), "F6"),
    "about": Command(tr("&About musicrel")),
    "about_model": Command(tr("About the &model…"), "Ctrl+I"),
    "file.new": Command(tr("&New"), _KEYS.New),
    "file.new_window": Command(tr("New &window"), "Ctrl+Shift+N"),
    "file.open": Command(tr("&Open…"), _KEYS.Open),
    "file.save": Command(tr("&Save"), _KEYS.Save),
    "file.save_as": Command(tr("Save &as…"), "Ctrl+Shift+S"),
    "file.export": Command(tr("&Export…"), "Ctrl+Shift+X"),
    "file.export_bars": Command(
        tr("Export the selected &bars…"),
        tip=tr("Export the bars that the selection touches, its voices"),
    ),
    "file.practice": Command(tr("Export practice &files…")),
    "file.print": Command(tr("&Print…"), _KEYS.Print),
    "file.close": Command(tr("&Close"), "Ctrl+W"),
    "file.quit": Command(tr("&Quit"), "Ctrl+Q"),
    "edit.cut": Command(tr("Cu&t"), _KEYS.Cut, local=True),
    "edit.copy": Command(tr("&Copy"), _KEYS.Copy, local=True),
    "edit.paste": Command(
        tr("&Paste"), _KEYS.Paste,
        tr("Paste at the selection or the playhead, into the selected voice"), local=True,
    ),
    "edit.duplicate": Command(
        tr("&Duplicate"), "R", tr("Repeat the selected notes right after them"), local=True,
    ),
    "edit.delete": Command(tr("De&lete"), _KEYS.Delete, local=True),
    "edit.select_all": Command(tr("Select &all"), _KEYS.SelectAll, local=True),
    "edit.select_bars": Command(
        tr("Select the &bar"), "Ctrl+Shift+A",
        tr("Select all voices of the bars that the selection touches"), local=True,
    ),
    "edit.select_voice": Command(
        tr("Select the &voice"), "Ctrl+Alt+A",
        tr("Select the selected voices from beginning to end"), local=True,
    ),
    "edit.semitone_up": Command(tr("&Up by a semitone"), "Alt+Up", local=True),
    "edit.semitone_down": Command(tr("&Down by a semitone"), "Alt+Down", local=True),
    "edit.scale_up": Command(
        tr("Up b&y a scale step"), "Alt+Shift+Up", tr("Move to the next higher note of the key"),
        local=True,
    ),
    "edit.scale_down": Command(
        tr("Down by a s&cale step"), "Alt+Shift+Down", tr("Move to the next lower note of the key"),
        local=True,
    ),
    "edit.octave_up": Command(tr("Up by an &octave"), "Ctrl+Up", local=True),
    "edit.octave_down": Command(tr("Do&wn by an octave"), "Ctrl+Down", local=True),
    "edit.earlier": Command(tr("&Earlier by a sixteenth"), "Alt+Left", local=True),
    "edit.later": Command(tr("&Later by a sixteenth"), "Alt+Right", local=True),
    "edit.longer": Command(tr("Lon&ger by a sixteenth"), "Alt+Shift+Right", local=True),
    "edit.shorter": Command(tr("S&horter by a sixteenth"), "Alt+Shift+Left", local=True),
    "edit.split": Command(
        tr("Spl&it"), "S", tr("Split the selected notes at the playhead, or in the middle"),
        local=True,
    ),
    "edit.join": Command(
        tr("&Join"), "J", tr("Make one note of the selected notes of each voice"), local=True,
    ),
    "edit.fermata": Command(
        tr("&Fermata"), "Ctrl+F", tr("Put a fermata on the last selected note, or remove it"),
    ),
    "edit.marks": Command(
        tr("&Key, tempo and dynamic here…"), "Ctrl+Alt+K",
        tr("Change key, tempo or dynamic from the selection on, or slow down within it"),
    ),
    "edit.slur": Command(
        tr("S&lur"), "Ctrl+Alt+S",
        tr("Slur the selected notes of each voice, or remove their slurs"),
    ),
    "edit.add_bar": Command(tr("&Add a bar at the end"), "Ctrl+B"),
    "edit.insert_bar": Command(
        tr("&Insert a bar here"), "Ins",
        tr("Insert an empty bar before the selection or the playhead"), local=True,
    ),
    "edit.remove_bars": Command(
        tr("&Remove the bar"), "Ctrl+Del",
        tr("Remove the bars that the selection touches, with their notes"), local=True,
    ),
    "edit.words": Command(
        tr("&Words…"), "Ctrl+Shift+W", tr("Set a text under the melody, or remove the words"),
    ),
    "edit.write_out": Command(
        tr("Write out the &verses"),
        tip=tr("Write all verses one after the other, each with its words"),
    ),
    "edit.type_words": Command(
        tr("&Words under notes"), "Ctrl+Alt+W",
        tr("Type words under the notes, from the selected one on"), toggle=True,
    ),
    "edit.transpose": Command(
        tr("&Transpose…"), "Ctrl+Shift+T",
        tr("Move all notes by an interval, or to fit the ranges of the voices; the key moves too"),
    ),
    "edit.properties": Command(
        tr("&Properties…"), "Alt+Return", tr("Change title, names, key, meter, pickup and tempo"),
    ),
    "edit.sound": Command(tr("&Play edited notes"), toggle=True, on=True),
    "play.play": Command(tr("&Play"), "Space", tr("Play from the playhead")),
    "play.stop": Command(tr("&Stop"), "Ctrl+.", tr("Stop and return to the start"), "stop"),
    "play.start": Command(tr("To the &beginning"), "Ctrl+Home", icon="to-start"),
    "play.back": Command(tr("One beat b&ack"), "Ctrl+Left"),
    "play.forward": Command(tr("One beat for&ward"), "Ctrl+Right"),
    "play.loop": Command(tr("&Loop"), "Ctrl+L", icon="loop", toggle=True),
    "play.loop_selection": Command(tr("Loop the s&election"), "Ctrl+Shift+L"),
    "play.loop_from": Command(tr("Loop fro&m the playhead"), "["),
    "play.loop_to": Command(tr("Loop &up to the playhead"), "]"),
    "play.follow": Command(
        tr("&Follow playhead"), "Ctrl+Shift+F", tr("Scroll with the playhead"), "follow",
        True, True,
    ),
    "play.fermatas": Command(
        tr("Hold fe&rmatas"), "", tr("Hold notes under a fermata longer"), "fermata", True, True,
    ),
    "play.fermatas_in_midi": Command(
        tr("Hol&d fermatas in MIDI files"),
        tip=tr("Slow the tempo down under fermatas in exported MIDI files"), toggle=True,
    ),
    "play.markers_in_midi": Command(
        tr("C&hord names in MIDI files"),
        tip=tr("Write chords and phrases as markers, which a DAW shows above its tracks"),
        toggle=True,
    ),
    "play.metronome": Command(
        tr("Metr&onome"), "Ctrl+Alt+M", tr("Click on the beats"), "metronome", True,
    ),
    "play.count_in": Command(
        tr("&Count-in"), "Ctrl+Alt+N",
        tr("Play a bar of clicks before playback; choose when in the mixer"), "count-in", True,
    ),
    "play.mixer": Command(tr("Mi&xer"), "Ctrl+M", tr("Show the mixer"), "mixer", True),
    "play.panic": Command(tr("Pa&nic (all notes off)"), "Ctrl+Shift+."),
    "takes.show": Command(tr("&Takes"), "Ctrl+T", toggle=True),
    "takes.use": Command(tr("&Use the take"), "Return", icon="use", local=True),
    "takes.play": Command(tr("&Play the take"), "P", icon="play", local=True),
    "takes.play_change": Command(tr("Play the &change in a loop"), "C", icon="loop", local=True),
    "takes.end": Command(tr("&Stop playing the take"), "Esc"),
    "takes.rename": Command(tr("Re&name…"), "F2", local=True),
    "takes.delete": Command(tr("&Delete"), "Del", icon="delete", local=True),
    "takes.export": Command(tr("&Export takes…"), "E", icon="save", local=True),
    "rewriting.lock": Command(tr("Loc&k the selection"), "Ctrl+K", toggle=True),
    "rewriting.first_chord": Command(tr("Lock t&he first chord"), "Ctrl+Alt+Home", toggle=True),
    "rewriting.last_chord": Command(tr("Lock the la&st chord"), "Ctrl+Alt+End", toggle=True),
    "rewriting.unlock": Command(tr("Unlock everythin&g"), "Ctrl+Shift+K"),
    "rewriting.rewrite": Command(tr("Re&write the selection"), "Ctrl+Shift+R"),
    "rewriting.harmonise": Command(tr("&Harmonise a melody…"), "Ctrl+H"),
    "rewriting.verse": Command(
        tr("Harmonise a ver&se differently…"),
        tip=tr("Write a verse out in its place, with lower voices of its own"),
    ),
    "rewriting.hymn": Command(tr("H&ymn from words…"), "Ctrl+Shift+Y"),
    "rewriting.draw": Command(
        tr("Note &input"), "Ctrl+D",
        tr("Note input: type A to G, or click on the roll ({key[rewriting.draw]})"), toggle=True,
    ),
    "rewriting.record": Command(tr("Record a &melody…"), "Ctrl+Shift+P"),
    "rewriting.next": Command(tr("&Next candidate"), "Alt+Down"),
    "rewriting.previous": Command(tr("&Previous candidate"), "Alt+Up"),
    "rewriting.accept": Command(tr("&Accept the candidate"), "Ctrl+Return"),
    "rewriting.back": Command(tr("&Back to the original"), "Esc"),
    "rewriting.play_passage": Command(
        tr("Play th&e passage of the candidate"), "P",
        tr("Play the passage of the candidate in a loop, with the bar before it"), local=True,
    ),
    "rewriting.marks": Command(tr("&Mark rule violations"), "Ctrl+Shift+M", toggle=True),
    "rules.list": Command(
        tr("&List of rule violations"), "Ctrl+F8",
        tr("List the rule violations with their sources ({key[rules.list]})"), toggle=True,
    ),
    "rules.next": Command(
        tr("Ne&xt violation"), "F8",
        tr("Select the notes of the next rule violation ({key[rules.next]})"),
    ),
    "rules.previous": Command(
        tr("&Previous violation"), "Shift+F8",
        tr("Select the notes of the previous rule violation ({key[rules.previous]})"),
    ),
    "rules.rewrite": Command(tr("Write candidates witho&ut this"), "Ctrl+Shift+F8", REWRITE_TIP),
    "library.models": Command(tr("Mo&dels…"), "Ctrl+Shift+I"),
    "library.preferences": Command(tr("Pre&ferences…"), "Ctrl+,"),
    "library.shortcuts": Command(tr("&Keyboard shortcuts"), "?"),
    "library.offers": Command(tr("&First steps on the empty sheet"), toggle=True),
    "library.web_pages": Command(tr("Guides in the &browser")),
    "library.logs": Command(tr("Open the folder with the &log")),
    "two_models.listen_a": Command(tr("Listen to &A"), "A", tr("Play the piece of A"), toggle=True),
    "two_models.listen_b": Command(tr("Listen to &B"), "B", tr("Play the piece of B"), toggle=True),
    "two_models.take_bar": Command(
        tr("Take this ba&r from B"), "Ctrl+Shift+B", tr("Take the bar at the playhead"),
    ),
    "two_models.take_piece": Command(
        tr("Take the whole &piece of B"), "", tr("Make the piece of B the current one"),
    ),
    "two_models.first": Command(
        tr("To the &first difference"), "", tr("Move the playhead to the first difference"),
    ),
    "two_models.export_piece": Command(
        tr("&Export the piece of B…"), "", tr("Export as MIDI, score, audio or image"),
    ),
    "two_models.export_differences": Command(
        tr("Export the &differences…"), "", tr("Export the differing notes as SVG, PNG or CSV"),
    ),
    "two_models.export_both": Command(
        tr("&Save both scores as PDF…"), "", tr("Both scores on one page, each under its model")
    ),
    "two_models.close": Command(tr("E&nd the comparison"), "", tr("Compare with no other model")),
}  # fmt: skip
# entries of a menu: commands, groups of them or menus by name; None for a separator; submenus
Entries: TypeAlias = tuple["str | tuple[str, Entries] | None", ...]
_NOTES: Final[Entries] = (
    "edit.semitone_up", "edit.semitone_down", "edit.scale_up", "edit.scale_down", None,
    "edit.octave_up", "edit.octave_down", None,
    "edit.earlier", "edit.later", "edit.longer", "edit.shorter", None,
    "edit.split", "edit.join", None, "edit.to_voice",
)  # fmt: skip
_NOTES_TITLE: Final = tr("&Notes")
NO_SELECTION: Final = tr("Nothing is selected: click a note, drag over some, or use the arrow keys")
CANDIDATES: Final = tr("Candidates are shown: accept one or go back first")
NO_CANDIDATES: Final = tr("There are no candidates: rewrite something, or generate several, first")
NOTHING_YET: Final = tr("There is nothing to play yet: generate or open a piece")
NOTHING_TO_REWRITE: Final = tr("There is nothing to rewrite yet: generate or open a piece")
NO_VERSES: Final = tr("The piece has no words in several verses")
NO_MODEL: Final = tr("No model is installed")
NOTHING_TO_LOCK: Final = tr("There is nothing to lock yet: generate or open a piece")
NOTHING_LOCKED: Final = tr("Nothing is locked")
NOTHING_TO_EXPORT: Final = tr("There is nothing to export yet: generate or open a piece")
NOTHING_TO_PRINT: Final = tr("There is nothing to print yet: generate or open a piece")
_NOTHING_TO_SAVE: Final = tr("There is nothing to save yet: generate or open a piece")
_HAS_PIECE: Final = tr("There is a piece on the sheet: File > New starts with an empty one")
MIME_TYPE: Final = "application/x-musicrel-notes"  # of notes on the clipboard
Reason: TypeAlias = Callable[[Document], str]  # returns why something is impossible, or ""


def _when(possible: Callable[[Document], object], sentence: str) -> Reason:
    return lambda document: "" if possible(document) else with_keys(sentence)


def _piece(sentence: str) -> Reason:
    return _when(lambda document: document.piece is not None, sentence)


def _ready(document: Document) -> str:
    return document.unready_reason


def _unpastable(_document: Document) -> str:
    data = cast("QMimeData | None", QGuiApplication.clipboard().mimeData())  # None on some systems
    has_notes = data is not None and data.hasFormat(MIME_TYPE)
    return "" if has_notes else f"{NOT_A_CLIP[:1].upper()}{NOT_A_CLIP[1:]}"


def _first(reasons: Iterable[Reason], document: Document) -> str:
    return next((found for reason in reasons if (found := reason(document))), "")


_not_generating: Final = _when(lambda document: not document.generating, GENERATING)
_not_writing: Final = _when(lambda document: not document.busy, GENERATING)
_selection: Final = _when(lambda document: document.selection is not None, NO_SELECTION)
_shown: Final = _when(lambda document: document.shown is not None, NOTHING_YET)
_lockable: Final = _when(lambda document: document.locks is not None, NOTHING_TO_LOCK)
_candidates: Final = _when(lambda document: document.candidates, NO_CANDIDATES)
_REWRITING: Final[tuple[Reason, ...]] = (
    _not_generating, _piece(NOTHING_TO_REWRITE),
    _when(lambda document: document.form.model, NO_MODEL),
)  # fmt: skip


def unwritable(document: Document) -> str:
    """Return the reason why the piece cannot be rewritten now, or ""."""
    return _first(_REWRITING, document)


_ON_PIECE: Final = (
    "edit.select_all", "edit.add_bar", "edit.insert_bar", "edit.type_words", "edit.words",
    "edit.write_out", "edit.transpose", "edit.properties",
)  # fmt: skip
ON_SELECTION: Final = (
    *(name for name in COMMANDS if name.startswith("edit.")
      and name not in (*_ON_PIECE, "edit.paste", "edit.sound")),
    "edit.to_voice",
)  # fmt: skip
# The reasons why commands are disabled, of which the first is given, and their names; a later row
# adds its reasons to those of an earlier one.
ENABLED_WHEN: Final[Sequence[tuple[tuple[Reason, ...], tuple[str, ...]]]] = (
    ((_not_generating,),
     ("file.new", "file.open", "file.close", "file.recent", "rewriting.record")),
    ((_when(lambda document: document.piece is not None or document.takes.all, _NOTHING_TO_SAVE),),
     ("file.save", "file.save_as")),
    ((_ready, _piece(NOTHING_TO_EXPORT)), ("file.export", "file.practice")),
    ((_ready, _piece(NOTHING_TO_EXPORT), _selection), ("file.export_bars",)),
    ((_ready, _piece(NOTHING_TO_PRINT)), ("file.print",)),
    ((_ready, _piece(NO_PIECE)), _ON_PIECE),
    ((_ready, _piece(NO_PIECE), _selection), ON_SELECTION),
    ((_when(lambda document: not document.candidates, CANDIDATES),),  # the same keys
     ("edit.semitone_up", "edit.semitone_down")),
    ((_ready, _unpastable), ("edit.paste",)),
    ((_not_generating, _shown),
     ("play.stop", "play.start", "play.back", "play.forward", "play.loop", "play.loop_selection",
      "play.loop_from", "play.loop_to")),
    ((lambda document: _ready(document) if document.shown is None else "",
      _when(lambda document: document.shown is not None, NO_PIECE)),
     ("rules.list", "rules.next", "rules.previous")),
    ((_when(lambda document: document.generating or "B" in document.writers,
            tr("Nothing is being generated")),), ("stop",)),
    ((_ready,), ("rewriting.draw",)),
    ((_lockable,), ("rewriting.voices", "rewriting.first_chord", "rewriting.last_chord")),
    ((_lockable, _selection), ("rewriting.lock",)),
    ((_lockable, _when(lambda document: document.locks is not None and document.locks.any(),
                       NOTHING_LOCKED)), ("rewriting.unlock",)),
    ((_when(lambda document: document.piece is None, _HAS_PIECE),), ("library.offers",)),
    ((_not_writing,), ("rewriting.harmonise", "rewriting.verse", "rewriting.hymn")),
    ((_when(lambda document: document.piece and len(document.piece.verses) > 1, NO_VERSES),),
     ("rewriting.verse",)),
    (_REWRITING, ("rewriting.rewrite",)),
    ((*_REWRITING, _not_writing), ("rewriting.continue_by",)),
    ((_candidates,), ("rewriting.next", "rewriting.previous", "rewriting.play_passage")),
    ((_candidates, _when(lambda document: "A" not in document.writers, GENERATING)),
     ("rewriting.accept",)),
    ((_when(lambda document: document.lists_candidates, NO_CANDIDATES),), ("rewriting.back",)),
)  # fmt: skip
_CLIPBOARD: Final = ("edit.cut", "edit.copy", "edit.paste", "edit.duplicate", "edit.delete")
CONTEXT_MENUS: Final[Mapping[str, Entries]] = {
    "edit": (
        *_CLIPBOARD, None, "edit.split", "edit.join", "edit.fermata", (_NOTES_TITLE, _NOTES),
        None, "edit.select_bars", "edit.select_voice", "edit.insert_bar", "edit.remove_bars",
    ),
    "rules": (None, "rules.rewrite", "rules.list"),
    "takes": (
        "takes.use", "takes.play", "takes.play_change", "takes.end", None, "takes.ratings",
        None, "takes.rename", "takes.export", "takes.delete",
    ),
    "two_models": (
        "two_models.listen_a", "two_models.listen_b", "two_models.first", None,
        "two_models.take_bar", "two_models.take_piece", None,
        "two_models.export_piece", "two_models.export_differences", "two_models.export_both", None,
        "two_models.close",
    ),
}  # fmt: skip
MENUS: Final[tuple[tuple[str, Entries], ...]] = (
    (tr("&File"), (
        "file.new", "file.new_window", "file.open", "file.recent", None,
        "file.save", "file.save_as", "file.export", "file.export_bars", "file.practice", None,
        "file.print", None, "file.close", "file.quit",
    )),
    (tr("&Edit"), (
        "undo", "redo", None, *_CLIPBOARD, None,
        "edit.select_all", "edit.select_bars", "edit.select_voice", None, "rewriting.draw",
        "edit.type_words", (_NOTES_TITLE, (*_NOTES, None, "edit.sound")),
        (tr("Pi&ece"), (
            "edit.fermata", "edit.slur", "edit.marks", None,
            "edit.add_bar", "edit.insert_bar", "edit.remove_bars", None,
            "edit.words", "edit.write_out", "rewriting.verse",
            "edit.transpose", "edit.properties",
        )),
        None, "rewriting.lock", (tr("L&ock voices"), ("rewriting.voices",)),
        "rewriting.first_chord", "rewriting.last_chord", "rewriting.unlock", None,
        "library.preferences",
    )),
    (tr("&Compose"), (
        "generate", "stop", "new_seed", (tr("Form for a l&oop"), ("rewriting.loop_of",)), None,
        "rewriting.draw", "rewriting.record", "rewriting.harmonise", "rewriting.verse",
        "rewriting.hymn", "rewriting.rewrite",
        (tr("&Continue the piece"), ("rewriting.continue_by",)), "rules.rewrite",
        "rewriting.next", "rewriting.previous", "rewriting.play_passage", "rewriting.accept",
        "rewriting.back", None,
        (tr("Two mode&ls"), ("compare", None, *CONTEXT_MENUS["two_models"])),
        (tr("De&vice"), ("devices",)), "library.models",
    )),
    (tr("&Play", "menu"), (
        "play.play", "play.stop", "play.start", "play.back", "play.forward", None,
        "play.loop", "play.loop_selection", "play.loop_from", "play.loop_to", None,
        "play.metronome", "play.count_in", None,
        "play.follow", "play.fermatas", "play.mixer", None,
        "play.fermatas_in_midi", "play.markers_in_midi", None, "play.ports", "play.panic",
    )),
    (tr("&Takes"), CONTEXT_MENUS["takes"]),
    (tr("&View"), (
        "pages", None, "next_part", "zoom_in", "zoom_out", "zoom_fit", "taller", "flatter", None,
        "score", "four_staves", "numerals", "figures", "repeat_signs", None, "takes.show",
        "rewriting.marks", "rules.list", "rules.next", "rules.previous",
        (tr("Colo&ur notes by"), ("tints",)), (tr("T&heme"), ("themes",)),
    )),
    (tr("&Help"), (
        "library.guides", "library.web_pages", "library.shortcuts", "library.offers",
        "library.logs", None, "about_model", "about",
    )),
)  # fmt: skip
_THEMES: Final = (tr("&System"), tr("&Light"), tr("&Dark"))
TINTS: Final = (("voice", tr("&Voice")), ("surprisal", tr("&Surprisal")))
DEVICES: Final = (
    ("auto", tr("&Automatic")),
    ("cpu", tr("&Processor (CPU)")),
    ("cuda", tr("&NVIDIA GPU (CUDA)")),
    ("mps", tr("App&le GPU (Metal)")),
)
STARS: Final = (tr("No star"), tr("One star"), tr("Two stars"), tr("Three stars"))
MORE_BARS: Final = (2, 4, 8, 16)
LOOP_BARS: Final = (4, 8)
_RECENT, _PORTS, _GUIDES = tr("Open &recent"), tr("M&IDI output"), tr("&Guides")
NOBODY: Final = tr("&No other model")
COMPARE_TIP: Final = tr(
    "Compare with a second model, B, which gets the same requests: seed, form, locks and rules; "
    "its roll is below the roll of A"
)
IS_FIRST: Final = tr("{model} is model A, the one chosen in the form: choose another one as B")


class Group:
    """The commands of one part of the table, each an attribute by its name."""

    voices: tuple[QAction, ...]
    continue_by: tuple[QAction, ...]
    loop_of: tuple[QAction, ...]
    to_voice: tuple[QAction, ...]
    ratings: tuple[QAction, ...]
    recent: QMenu  # the documents that were open; a controller fills it
    ports: QMenu
    guides: QMenu

    def __init__(self, name: str) -> None:
        self._name = name
        self.all: tuple[QAction, ...] = ()

    def __getattr__(self, name: str) -> QAction:
        raise AttributeError(name)

    def add(self, name: str, *actions: QAction) -> None:
        """Add a command, or several that differ in a number, as one attribute."""
        numbered = len(actions) > 1
        setattr(self, name, actions if numbered else actions[0])
        self.all = (*self.all, *actions)

    def fill_menu(self, menu: QMenu) -> None:
        _fill(menu, CONTEXT_MENUS[self._name], lambda entry: getattr(self, entry.split(".")[1]))

    def open_menu(self, view: QAbstractScrollArea, place: QPoint) -> None:
        """Open a context menu at a point of the viewport of ``view``."""
        menu = QMenu(view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_menu(menu)
        menu.popup(view.viewport().mapToGlobal(place))

    def offer_on(self, view: QWidget) -> None:
        """Make the keys of local commands work while ``view`` has the focus."""
        view.addActions(self._local)

    def offer_in(self, *parts: QWidget) -> None:
        """Make the keys of local commands work while anything in one of ``parts`` has the focus.

        Each change of a command is an event of these parts, which have no handlers in Python.
        """
        for part in parts:
            part.addActions(self._local)
        for action in self._local:
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    @property
    def _local(self) -> list[QAction]:
        return [one for one in self.all if one.shortcutContext() == _LOCAL]


class Commands(QObject):
    """The actions of all menus, by part and name: ``commands.play.stop``."""

    _document: Document

    def __getattr__(self, name: str) -> QAction:
        raise AttributeError(name)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._window = parent
        keys.use(_first_keys({}))
        self.file, self.edit, self.play = (Group(name) for name in ("file", "edit", "play"))
        self.takes, self.rewriting = Group("takes"), Group("rewriting")
        self.rules, self.library = Group("rules"), Group("library")
        self.two_models, self.compare = Group("two_models"), CompareMenu()
        self.themes = self._group(zip(THEMES, _THEMES, strict=True))
        self.devices, self.tints = self._group(DEVICES), self._group(TINTS)
        self.pages = self._group([(page.name, f"&{page.title}") for page in PAGES])
        for number, page in enumerate(self.pages.actions(), start=1):
            page.setShortcut(QKeySequence(f"Ctrl+{number}"))
        for key, command in COMMANDS.items():
            part, _, name = key.rpartition(".")
            action = self._made(command, key if part == "play" else "")
            if part:
                getattr(self, part).add(name, action)
            else:
                setattr(self, name, action)
        self._add_numbered()
        self.file.recent, self.play.ports = QMenu(_RECENT), QMenu(_PORTS)
        self.library.guides = QMenu(_GUIDES)
        self.library.preferences.setMenuRole(QAction.MenuRole.PreferencesRole)
        self.takes.end.setEnabled(False)  # its key belongs to Stop until there is a take to end

    @property
    def layout(self) -> Layout:
        """Return the layout of scores: one staff per voice, or two voices on each staff."""
        return "parts" if self.four_staves.isChecked() else "staves"

    def follow(self, document: Document) -> None:
        """Enable the commands that are possible; the tooltips of the others have the reasons."""
        self._document = document
        self._reasons: dict[str, tuple[Reason, ...]] = {}
        self._disabled: dict[str, str] = {}  # the reasons that the actions show
        for reasons, names in ENABLED_WHEN:
            self._reasons |= {name: (*self._reasons.get(name, ()), *reasons) for name in names}
        for signal in (
            document.screen_changed,
            document.selection_changed,
            document.edited,
            document.form_changed,
            document.locks_changed,
            document.busy_changed,
            QGuiApplication.clipboard().dataChanged,
        ):
            signal.connect(self._update)
        self._update()

    def named(self, name: str) -> tuple[QAction, ...]:
        """Return the action of a command or menu, or those that differ in a number."""
        found = attrgetter(name)(self)
        if isinstance(found, tuple):
            return found
        return (found.menuAction() if isinstance(found, QMenu) else found,)

    @property
    def actions(self) -> Iterator[QAction]:
        """All actions that have keys."""
        guides = self.library.guides.actions()
        return (one for one in (*self.findChildren(QAction), *guides) if one.shortcuts())

    def use_keys(self, chosen: Mapping[str, str]) -> None:
        """Give commands the keys that the user has chosen for them, and all others their own."""
        keys.use(_first_keys(chosen))
        for name, command in COMMANDS.items():
            self.named(name)[0].setShortcuts(sequences(chosen.get(name, command.keys)))
        _renew_texts(self._window)

    @Slot()
    def _update(self) -> None:
        found = functools.cache(lambda reason: reason(self._document))
        for name, reasons in self._reasons.items():
            reason = next(filter(None, map(found, reasons)), "")
            if reason != self._disabled.get(name):
                self._disabled[name] = reason
                for action in self.named(name):
                    set_enabled(action, reason)

    def fill(self, bar: QMenuBar) -> None:
        for title, entries in MENUS:
            _fill(bar.addMenu(title), entries, lambda entry: attrgetter(entry)(self))

    def _add_numbered(self) -> None:
        """Add the commands that differ in a voice or a number, which is their data."""
        voices = [(f"&{v.title}", f"Ctrl+Alt+{v + 1}") for v in Voice]
        lower = [(TO_VOICE.format(voice=v.noun), f"Alt+{v + 1}") for v in Voice]
        for group, name, texts, numbers in (
            (self.rewriting, "voices", voices, Voice),
            (self.edit, "to_voice", lower, Voice),
            (self.takes, "ratings", zip(STARS, "0123", strict=True), range(MAX_RATING + 1)),
            (self.rewriting, "continue_by",
             [(BY_BARS.format(bars=bars), "Ctrl+Shift+G" if bars == MORE_BARS[1] else "")
              for bars in MORE_BARS], MORE_BARS),
            (self.rewriting, "loop_of",
             [(OF_BARS.format(bars=bars), "") for bars in LOOP_BARS], LOOP_BARS),
        ):  # fmt: skip
            local, toggle = group is not self.rewriting, name == "voices"
            made = [self._made(Command(*two, toggle=toggle, local=local)) for two in texts]
            for action, number in zip(made, numbers, strict=True):
                action.setData(int(number))
            group.add(name, *made)

    def _made(self, command: Command, keyed: str = "") -> QAction:
        """Return the action of a command; a ``keyed`` one, its name, has its key in the tooltip."""
        action = QAction(command.text, self)
        action.setObjectName(keyed)
        action.setShortcuts(sequences(command.keys))
        action.setCheckable(command.toggle)
        action.setChecked(command.on)
        if command.local:
            action.setShortcutContext(_LOCAL)
        if command.icon or keyed:
            action.setIconVisibleInMenu(False)
        if command.icon:
            action.setIcon(icons.themed(command.icon, checked="accent" if keyed else ""))
        if keyed or command.tip:
            set_tip(action, command.tip or command.text.replace("&", ""))
        return action

    def _group(self, entries: Iterable[tuple[str, str]]) -> QActionGroup:
        group = QActionGroup(self)
        for name, text in entries:
            action = group.addAction(text)
            action.setData(name)
            action.setCheckable(True)
        return group


def sequences(keys: Key | tuple[str, ...]) -> list[QKeySequence]:
    """Return the keys of an entry of the table, or keys as they are stored."""
    return [QKeySequence(key) for key in (keys if isinstance(keys, tuple) else (keys,)) if key]


def key_text(keys: Iterable[QKeySequence]) -> str:
    """Return keys as the system writes them, alternatives separated by commas."""
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(dict.fromkeys(key.toString(native) for key in keys))


def _fill(menu: QMenu, entries: Entries, find: Callable[[str], Any]) -> None:
    """Fill a menu; ``find`` returns a command, a group of them or a menu by its name."""
    menu.setToolTipsVisible(True)  # they give the reasons of disabled commands
    for entry in entries:
        if entry is None:
            menu.addSeparator()
        elif isinstance(entry, tuple):
            _fill(menu.addMenu(entry[0]), entry[1], find)
        else:
            match find(entry):
                case QMenu() as inner:
                    inner.setParent(menu, inner.windowFlags())
                    inner.setToolTipsVisible(True)
                    menu.addMenu(inner)
                case QActionGroup() as group:
                    menu.addActions(group.actions())
                case QAction() as action:
                    menu.addAction(action)
                case numbered:
                    menu.addActions(list(numbered))


_LOCAL: Final = Qt.ShortcutContext.WidgetShortcut
_TIP: Final = "tip"


def _first_keys(chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the first key of each command, or "", by the name of the command."""
    return {
        name: key_text(sequences(chosen.get(name, command.keys))[:1])
        for name, command in COMMANDS.items()
    }


def set_tip(action: QAction, tip: str) -> None:
    """Set the tooltip of the enabled command, with its key if the name of the action is its own."""
    key = f" ({{key[{action.objectName()}]}})" if action.objectName() else ""
    action.setProperty(_TIP, with_keys(tip + key))
    action.setToolTip(action.property(_TIP))


def _renew_texts(window: QObject) -> None:
    """Name the present keys in all texts that are shown."""
    for action in window.findChildren(QAction):
        action.setProperty(_TIP, keys.renewed(action.property(_TIP) or ""))
        if action.toolTip() != action.iconText():  # Qt's own: the name, which is nothing to fill in
            _renew(action.toolTip, action.setToolTip)
    for widget in window.findChildren(QWidget):
        _renew(widget.toolTip, widget.setToolTip)
        _renew(widget.accessibleDescription, widget.setAccessibleDescription)
        if isinstance(widget, QLabel):
            _renew(widget.text, widget.setText)
        elif isinstance(widget, QAbstractScrollArea):
            widget.viewport().update()  # a sheet paints its hint


def _renew(shown: Callable[[], str], show: Callable[[str], None]) -> None:
    before, now = shown(), keys.renewed(shown())
    if now != before:
        show(now)


def tip(action: QAction) -> str:
    """Return the tooltip of the command while it is enabled."""
    return str(action.property(_TIP) or action.iconText())


def set_enabled(action: QAction, disabled_reason: str) -> None:
    """Enable ``action``, or disable it and give the reason in its tooltip."""
    action.setEnabled(not disabled_reason)
    action.setToolTip(disabled_reason or tip(action))


def check(group: QActionGroup, name: str) -> None:
    for action in group.actions():
        action.setChecked(action.data() == name)


def follow(button: QAbstractButton, action: QAction, tip: str = "") -> None:
    """Let a button trigger a command, and disable it with the command; ``tip`` is its tooltip."""
    button.clicked.connect(action.trigger)
    _Link(button, action, tip)


class _Link(QObject):
    """The state of a command on its button; it ends with the button."""

    def __init__(self, button: QAbstractButton, action: QAction, tip: str) -> None:
        super().__init__(button)
        self._button, self._action, self._tip = button, action, tip
        action.changed.connect(self._update)
        self._update()

    @Slot()
    def _update(self) -> None:
        enabled = self._action.isEnabled()
        self._button.setEnabled(enabled)
        self._button.setToolTip(with_keys(self._tip) if enabled else self._action.toolTip())


class CompareMenu(QMenu):
    """A menu of models to compare with, of which one or none is chosen: model B."""

    chosen = Signal(str)  # another model was chosen; its name, "" for none

    def __init__(self) -> None:
        super().__init__(_COMPARE)
        self._group = QActionGroup(self)
        self._group.triggered.connect(self._on_triggered)
        self._more = QMenu(_MORE_MODELS, self)
        self._choices: tuple[ModelChoice, ...] = ()
        self._first = ""
        self.name = ""  # name of the chosen model; "" for none
        self.offer(())

    def offer(self, choices: Sequence[ModelChoice], first: str = "") -> None:
        """Offer models; a chosen one that is no longer there is dropped."""
        if (tuple(choices), first) == (self._choices, self._first) and self._group.actions():
            return
        self._choices, self._first = tuple(choices), first
        for action in self._group.actions():
            self._group.removeAction(action)
            action.deleteLater()  # the group owns it, even now
        self.clear()
        self._more.clear()
        self._add(self, "", NOBODY, NOBODY.replace("&", ""))
        self.addSeparator()
        usual, more = models.arranged(choices)
        for menu, some in ((self, usual), (self._more, more)):
            for choice in some:
                self._add(menu, choice.name, choice.title, choice.detail or choice.title)
        if more:
            self.addMenu(self._more)
        if self.name not in {choice.name for choice in choices}:
            self.choose("")

    def choose(self, name: str) -> None:
        check(self._group, name)
        if name != self.name:
            self.name = name
            self.chosen.emit(name)

    @Slot(QAction)
    def _on_triggered(self, action: QAction) -> None:
        self.choose(action.data())

    def _add(self, menu: QMenu, name: str, title: str, tip: str) -> None:
        action = self._group.addAction(title)
        action.setData(name)
        is_first = bool(name) and name == self._first
        action.setEnabled(not is_first)
        action.setToolTip(IS_FIRST.format(model=display_names.model(name)) if is_first else tip)
        action.setCheckable(True)
        action.setChecked(name == self.name)
        menu.addAction(action)
