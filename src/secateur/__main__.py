"""`python -m secateur`: the same as the command `secateur`."""

from __future__ import annotations

import sys

from secateur.cli.main import main

sys.exit(main())
