"""Words that are typed under the notes: a cursor at a note of one voice, in one verse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from musicrel.chorale import ELISION, Chorale, Lyric, Voice
from musicrel.score.editing.draft import Draft, Edit
from musicrel.score.editing.notes import Note, notes_in, voice_notes
from musicrel.score.editing.selection import Selection
from musicrel.score.verses.harmonies import verses_at

MAX_VERSES: Final = 9  # that are typed; a file may have more
TYPED_ELISION: Final = "~"  # stands for ``ELISION``, which few keyboards have


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCursor:
    note: Note
    verse: int = 1

    @property
    def selection(self) -> Selection:
        return Selection.of_note(self.note)

    def in_verse(self, verses: int) -> WordCursor:
        return replace(self, verse=min(max(self.verse + verses, 1), MAX_VERSES))

    def moved(self, piece: Chorale, notes: int) -> WordCursor:
        """Move by notes of the voice, as far as there are any."""
        found = voice_notes(piece, self.note.voice)
        starts = [note.start for note in found]
        place = starts.index(self.note.start) + notes
        return replace(self, note=found[min(max(place, 0), len(found) - 1)])


def cursor_at(piece: Chorale, selection: Selection | None, verse: int = 1) -> WordCursor | None:
    """Return a cursor at the first selected note, else at the first of the soprano, if any.

    The cursor is in the first verse of that note if ``verse`` is written out elsewhere.
    """
    found = notes_in(piece, selection) if selection is not None else []
    notes = found or voice_notes(piece, Voice.SOPRANO)
    if not notes:
        return None
    own = verses_at(piece, notes[0].start)
    is_elsewhere = verse in piece.verses and verse not in own
    return WordCursor(note=notes[0], verse=own[0] if is_elsewhere else verse)


def typed(piece: Chorale, cursor: WordCursor) -> str:
    """Return the word at the cursor as it is typed, "" if there is none."""
    word = _word(piece, cursor)
    return word.text.replace(ELISION, TYPED_ELISION) if word else ""


def write(
    piece: Chorale,
    cursor: WordCursor,
    text: str,
    *,
    hyphen: bool | None = None,
    extends: bool | None = None,
) -> Edit:
    """Write the word at the cursor; without text it goes.

    Args:
        hyphen, extends: as in ``Lyric``; None: as they are. ``extends`` without text is about the
            last word before the cursor.
    """
    parts = filter(None, map(str.strip, " ".join(text.split()).split(TYPED_ELISION)))
    text, word = ELISION.join(parts), _word(piece, cursor)
    voice, step = Voice(cursor.note.voice), cursor.note.start
    others = [one for one in piece.lyrics if one is not word]
    if text:
        new = word or Lyric(voice, cursor.verse, step, text)
        hyphen = new.hyphen if hyphen is None else hyphen
        extends = new.extends if extends is None else extends
        others.append(replace(new, text=text, hyphen=hyphen, extends=extends))
    elif extends:
        earlier = [
            one
            for one in others
            if (one.voice, one.verse) == (voice, cursor.verse) and one.step < step
        ]
        for last in earlier[-1:]:
            others[others.index(last)] = replace(last, hyphen=False, extends=True)
    draft = Draft(piece)
    draft.lyrics = tuple(others)
    return draft.edit(cursor.selection)


def _word(piece: Chorale, cursor: WordCursor) -> Lyric | None:
    place = (cursor.note.voice, cursor.verse, cursor.note.start)
    found = (word for word in piece.lyrics if (word.voice, word.verse, word.step) == place)
    return next(found, None)
