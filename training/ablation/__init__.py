"""The study of ablations: attention weights against effects on notes."""
