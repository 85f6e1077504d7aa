"""Training runs as jobs that yield events: steps, evaluations, calibration, final model."""
