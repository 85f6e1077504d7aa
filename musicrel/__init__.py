"""musicrel: four-voice chorales by vanilla and relative-attention transformers."""
