"""The waist between languages and engines: systems, verdicts, traces."""
