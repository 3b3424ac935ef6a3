"""The command line: print and exit, only here."""
