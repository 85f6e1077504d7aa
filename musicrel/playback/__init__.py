"""Playback and recording: audio and MIDI output, the transport, and MIDI keyboard input.

Nothing here depends on Qt or on models.
"""
