"""Moving sessions to their newest key.

A move goes in batches, each a transaction of its own, so it can end anywhere: what was moved is under the
newest key, the rest under the old one, and both are read. Begun again, it goes on with the rest.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from memory.encrypted_session import EncryptedSession
from memory.errors import NotSupported

from .background import Background, Facts, ending
from .values import Address, Outcome, Resealing

if TYPE_CHECKING:
    from memory.inspectable import InspectableSession


class Resealings(Background[Resealing]):
    """The moves of one desk, one at a time of each session."""

    async def start(self, address: Address, session: InspectableSession) -> Outcome:
        """Begin a move; one that is going on goes on."""
        if self._closing:
            return Outcome(False, "closing")
        if not isinstance(session, EncryptedSession):
            raise NotSupported("This session is not encrypted.")
        if address not in self._tasks:
            move = Resealing(uuid4().hex, address)
            self._begin(address, move, self._make(address, session), changes=address)
        return Outcome(True)

    async def _make(self, address: Address, session: EncryptedSession) -> Facts:
        tell = partial(self._tell, address)
        return await ending("result", session.reencrypt(tell), stopped="reseal_stopped")
