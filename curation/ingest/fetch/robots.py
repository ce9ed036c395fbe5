"""What a host's robots.txt lets us ask for (RFC 9309). Protego reads the file, wildcards and crawl delays included."""

from __future__ import annotations

from protego import Protego

OUR_NAME = "curation"
_BINDING = (OUR_NAME, "GPTBot", "CCBot", "Google-Extended", "ClaudeBot", "anthropic-ai")
"""We collect training data, so what a site forbids programs that do the same, it forbids us."""

LARGEST = 512 << 10
"""As much of the file is read, as the standard asks at least."""


class Robots:
    """The rules of one host."""

    def __init__(self, text: str) -> None:
        """Take the file's text; an empty one allows everything."""
        self._rules = Protego.parse(text)

    def forbids(self, url: str) -> bool:
        """Return whether the host does not want this address to be asked for by us or by our kind."""
        return not all(self._rules.can_fetch(url, name) for name in _BINDING)

    @property
    def delay_s(self) -> float:
        """The seconds that the host wants between two requests."""
        return float(self._rules.crawl_delay(OUR_NAME) or 0)


ALLOW_ALL = Robots("")
FORBID_ALL = Robots("User-agent: *\nDisallow: /\n")
