"""The view of effects on a note: its panel, muted heads, and what is heard of them."""
