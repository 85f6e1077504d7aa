"""Controls for playback and recording: transport bar, mixer, MIDI ports, audition."""
