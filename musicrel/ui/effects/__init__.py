"""The view of effects on a note, muted heads, and pieces written without and with them."""
