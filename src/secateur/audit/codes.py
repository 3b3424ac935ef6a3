"""The error codes of audits: SEC447."""

from __future__ import annotations

from typing import Final

from secateur.source import Code

BAD_CERTIFICATE: Final = Code(447, "not a certificate")
