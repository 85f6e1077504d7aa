"""The sopranos of JSB16 as melodies: bar lines, and tunes shared with training pieces."""
