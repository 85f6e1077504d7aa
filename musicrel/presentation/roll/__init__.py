"""The piano roll: its picture, selection, locks, marks and edits, and a drawing of it."""
