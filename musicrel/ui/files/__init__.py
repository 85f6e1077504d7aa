"""Documents and files: sessions, records of windows, dialogs, drag and drop, jobs in threads."""
