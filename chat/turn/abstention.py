"""Recognises the answer model's abstention before a byte of it is shown."""

from plancover_assist.fencing import ABSTAIN


class Opening:
    """Holds a stream back for as long as it may still turn out to be the abstention.

    `said` is everything let through so far.
    """

    def __init__(self) -> None:
        self._held = ""
        self.said = ""

    @property
    def abstained(self) -> bool:
        """True when nothing but the sentinel has come."""
        return not self.said and self._held.strip() == ABSTAIN

    @property
    def blank(self) -> bool:
        """True when nothing that anybody could read has come."""
        return not self.said and not self._held.strip()

    def feed(self, piece: str) -> str:
        """Return what may be shown now; empty while the stream is still undecided."""
        if self.said:
            self.said += piece
            return piece
        self._held += piece
        return "" if _undecided(self._held) else self.release()

    def release(self) -> str:
        """Return what is still held back; the caller knows that no more comes or that it is an answer."""
        held, self._held = self._held, ""
        self.said += held
        return held


def _undecided(held: str) -> bool:
    bare = held.strip()
    return ABSTAIN.startswith(bare)
