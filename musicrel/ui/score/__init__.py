"""The engraved score: the view on the screen, the worker that engraves, and the PDF export."""
