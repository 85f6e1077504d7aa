"""Studies: arms compared over several seeds, from their TOML to the paired verdict.

Definitions, runners and the study job, results and statistics, and status for observers. Nothing
here knows how a study is shown.
"""
