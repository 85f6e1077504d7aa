"""The commands, a file for each: ``add`` declares its arguments, ``run`` returns its exit code."""
