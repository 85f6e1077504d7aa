"""The formats of a chorale: MIDI, MusicXML, ABC, JSON and audio, and the notation of its notes.

``files`` chooses the format by suffix; each format has its own package. It is independent of
models, playback and the user interface.
"""
