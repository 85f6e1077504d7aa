"""Effects of a model's heads and of its sources on notes, and the logit lens."""
