"""The synthesizer: timbres, reverb, mixer and audio files. It is independent of audio devices."""
