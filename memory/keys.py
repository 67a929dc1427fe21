"""Encryption keys: where they come from, and what a session makes of them.

A key is a secret of high entropy: one that `new_key()` made, or any long random text. Keys are given newest
first; rows under an older key stay readable, new rows are sealed under the newest. For each session a key of
its own is derived (HKDF-SHA256, salted with the session id), as the SDK does it.

Threat model: someone holds the database file and no key. They learn ids, counts, sizes and times, and
nothing that was said. A key is in no repr, message, log or traceback of ours.
"""

from __future__ import annotations

import base64
import os
import shlex
import subprocess
from collections.abc import Mapping, Sequence

from .errors import KeyUnavailable
from .fernet import SessionKey

KEY = "DESK_ENCRYPTION_KEY"
"""Keys, newest first, with commas between them."""

COMMAND = "DESK_ENCRYPTION_KEY_COMMAND"
"""A command that prints the keys, newest first, one a line; run without a shell."""

PATIENCE = 30.0  # seconds a command may take, a person at a password prompt included

DERIVED_FOR = b"agents.session-store.hkdf.v1"
"""What the SDK derives a session's key for."""


class Keys:
    """Secrets, newest first. Nothing of them is shown, and they do not go into a pickle."""

    __slots__ = ("_secrets",)

    def __init__(self, *secrets: str) -> None:
        """Raises ValueError where there is no key, or one that is no text."""
        if not secrets:
            raise ValueError(NONE_GIVEN)
        for secret in secrets:
            if not isinstance(secret, str) or not secret.strip():
                raise ValueError(NONE_GIVEN)
        self._secrets = tuple(secrets)

    @classmethod
    def of(cls, source: object) -> Keys:
        """The keys of a text (one key), a sequence (newest first), or a callable that gives either."""
        if callable(source):
            try:
                source = source()
            except Exception as error:
                # Whatever the callable says may quote a secret.
                raise KeyUnavailable(
                    f"The encryption key could not be fetched ({type(error).__name__})."
                ) from None
        if isinstance(source, cls):
            return source
        if isinstance(source, str):
            return cls(source)
        if isinstance(source, Sequence) and not isinstance(source, bytes):
            return cls(*source)
        raise ValueError(NONE_GIVEN)

    def __len__(self) -> int:
        return len(self._secrets)

    def __repr__(self) -> str:
        return f"<Keys: {len(self)}>"

    def __reduce__(self) -> str:
        raise TypeError("Encryption keys are not written anywhere.")

    def of_session(self, session_id: str) -> list[SessionKey]:
        """One key for each of these, newest first, for this session alone."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        salt = session_id.encode()
        return [
            SessionKey(
                HKDF(algorithm=hashes.SHA256(), length=32, salt=salt, info=DERIVED_FOR).derive(_bytes(s))
            )
            for s in self._secrets
        ]


NONE_GIVEN = "An encryption key is a text that is not empty; make one with new_key()."


def new_key() -> str:
    """A fresh key: 256 random bits as 44 characters."""
    return base64.urlsafe_b64encode(os.urandom(32)).decode()


def keys_from(environ: Mapping[str, str], secrets: Mapping[str, object] | None = None) -> Keys | None:
    """The keys a person has set, or None.

    The environment comes before `secrets` (as in secrets.toml), a key before a command. Raises
    KeyUnavailable for a command that gives none.
    """
    for settings in (environ, secrets or {}):
        given = settings.get(KEY)
        if found := _listed(given):
            return Keys(*found)
        command = settings.get(COMMAND)
        if isinstance(command, str) and command.strip():
            return Keys(*_from_command(command))
    return None


def _listed(given: object) -> list[str]:
    parts = given.replace("\n", ",").split(",") if isinstance(given, str) else given
    if not isinstance(parts, Sequence):
        return []
    return [part.strip() for part in parts if isinstance(part, str) and part.strip()]


def _from_command(command: str) -> list[str]:
    """What the command prints. Neither its words nor its output get into an error: both may be secret."""
    # Windows takes a command line as it is; elsewhere it is split into words here, and no shell sees it.
    words: str | list[str] = command
    try:
        words = command if os.name == "nt" else shlex.split(command)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        raise KeyUnavailable(f"The command in {COMMAND} gave no key within {PATIENCE:g} seconds.") from None
    except (OSError, ValueError) as error:
        raise KeyUnavailable(
            f"The command in {COMMAND} could not be started ({type(error).__name__})."
        ) from None
    if done.returncode != 0:
        raise KeyUnavailable(f"The command in {COMMAND} ended with code {done.returncode} and gave no key.")
    found = _listed(done.stdout.decode("utf-8", "replace"))
    if not found:
        raise KeyUnavailable(f"The command in {COMMAND} ended well but printed no key.")
    return found


def _bytes(secret: str) -> bytes:
    """The secret's bytes: 32 in base64 are those, anything else is itself, as the SDK takes it."""
    try:
        decoded = base64.urlsafe_b64decode(secret)
    except ValueError:
        return secret.encode()
    return decoded if len(decoded) == 32 else secret.encode()
