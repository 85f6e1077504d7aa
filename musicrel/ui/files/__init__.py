"""Files in the app: dialogs, drag and drop, reading and writing in threads, crash recovery."""
