"""Music notation of a chorale: rhythm, pitch spelling and accidentals, for any file format."""
