"""`secateur probcli`: the flags, phrases and counts that users of ProB's command line know."""
