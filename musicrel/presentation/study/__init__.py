"""Studies for people: form, progress, tables, learning curves and reports."""
