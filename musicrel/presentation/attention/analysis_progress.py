"""The event of an analysis that is being computed; importing this takes no model."""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.presentation.attention.piece_analysis import PieceAnalysis


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisProgress:
    share: float  # of the piece, 0 to 1
    # the analysis as far as known, which the job continues to fill; None until it can be shown
    analysis: PieceAnalysis | None = None
