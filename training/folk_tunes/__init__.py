"""Folk tunes of music21's essenFolksong: reading, the fixed list, what models make of them."""
