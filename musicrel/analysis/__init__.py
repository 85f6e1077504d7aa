"""Music analysis of chorales: keys, cadences, voice leading, the grade, copied passages.

Everything here reads ``Chorale`` objects and returns figures; it is independent of models.
"""
