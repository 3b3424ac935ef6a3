"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# A shared machine stalls now and then, so that neither a deadline nor a slow example tells.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("ci", _COMMON, max_examples=50, derandomize=True)
settings.register_profile("nightly", _COMMON, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
