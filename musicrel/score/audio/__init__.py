"""The synthesizer: timbres, reverb, mixer and WAV files. It is independent of audio devices."""
