"""Studies: arms compared over several seeds, from their TOML to the paired verdict.

Definitions and the study job, results and statistics, status for observers, and texts, tables and
reports as plain data.
"""
