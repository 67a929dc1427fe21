"""Where encryption keys come from, and that they go nowhere."""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from memory import EncryptedSession, Keys, KeyUnavailable, SQLiteSession, keys_from, new_key
from memory.fernet import SessionKey
from memory.keys import COMMAND, KEY

SECRET = "hush-hush-do-not-tell"


def command(code: str) -> str:
    """A command line that runs this Python code."""
    words = [sys.executable, "-c", code]
    return " ".join(f'"{word}"' for word in words)


def test_a_new_key_is_a_fernet_key_and_never_the_same() -> None:
    assert len(base64.urlsafe_b64decode(new_key())) == 32
    assert new_key() != new_key()


def test_no_setting_is_no_key() -> None:
    assert keys_from({}) is None
    assert keys_from({KEY: " , "}, {KEY: ""}) is None


def test_keys_in_the_environment_stand_newest_first_with_commas_between() -> None:
    keys = keys_from({KEY: f" {SECRET} , older "})
    assert keys is not None
    assert len(keys) == 2
    assert opens(Keys(SECRET), keys)
    assert not opens(Keys("older"), keys)


def opens(keys: Keys, sealed_by: Keys) -> bool:
    """Whether what the newest of `sealed_by` seals is opened by the newest of `keys`."""
    (newest, *_), (other, *_) = keys.of_session("x"), sealed_by.of_session("x")
    return newest.open(other.seal(b"text", 0)) == b"text"


@pytest.mark.parametrize("given", [SECRET, [SECRET, "older"], (SECRET,)])
def test_secrets_may_hold_a_text_or_a_list(given: Any) -> None:
    keys = keys_from({}, {KEY: given})
    assert keys is not None
    assert opens(Keys(SECRET), keys)


def test_the_environment_comes_before_the_secrets() -> None:
    keys = keys_from({KEY: SECRET}, {KEY: "other"})
    assert keys is not None
    assert opens(Keys(SECRET), keys)


def test_a_command_prints_keys_one_a_line() -> None:
    keys = keys_from({COMMAND: command(f"print('{SECRET}'); print('older')")})
    assert keys is not None
    assert len(keys) == 2
    assert opens(Keys(SECRET), keys)


@pytest.mark.skipif(os.name == "nt", reason="there is no shell to keep out of")
def test_a_command_is_not_given_to_a_shell(tmp_path: Path) -> None:
    keys = keys_from({COMMAND: f"echo key; touch {tmp_path / 'made'}"})
    assert keys is not None
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "code",
    [
        f"import sys; print('{SECRET}'); print('{SECRET}', file=sys.stderr); sys.exit(3)",
        f"import sys; print('{SECRET}', file=sys.stderr)",
    ],
)
def test_a_command_that_fails_says_so_without_its_words(code: str) -> None:
    with pytest.raises(KeyUnavailable, match=r"^The command in DESK_ENCRYPTION_KEY_COMMAND ended") as caught:
        keys_from({COMMAND: command(code)})
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("broken", [f"/no/such/{SECRET}", f'"{SECRET}'])
def test_a_command_that_cannot_start_says_so_without_its_words(broken: str) -> None:
    with pytest.raises(KeyUnavailable) as caught:
        keys_from({COMMAND: broken})
    assert SECRET not in str(caught.value)


def test_a_callable_is_asked_when_the_session_is_made() -> None:
    session = EncryptedSession("x", SQLiteSession("x"), lambda: [SECRET, "older"])
    assert len(session.codec.keys) == 2


def test_a_callable_that_fails_does_not_give_its_words_away() -> None:
    def broken() -> str:
        raise RuntimeError(SECRET)

    with pytest.raises(KeyUnavailable, match="RuntimeError") as caught:
        Keys.of(broken)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("bad", ["", "   ", [], None, 5, b"bytes", ["good", ""], ["good", 5]])
def test_what_is_no_key_is_refused_in_one_sentence(bad: Any) -> None:
    with pytest.raises(ValueError, match=r"^An encryption key is a text that is not empty; [^.]+\.$"):
        EncryptedSession("x", SQLiteSession("x"), bad)


async def test_a_key_shows_in_no_repr_and_no_pickle() -> None:
    session = EncryptedSession("x", SQLiteSession("x"), [SECRET, "older"])
    await session.add_items([{"role": "user", "content": "hello"}])
    shown = repr(session) + repr(vars(session)) + repr(session.codec.keys) + str(session.codec.keys)
    assert SECRET not in shown + repr(vars(session.codec)) + repr(session.scope)  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="not written anywhere"):
        pickle.dumps(session.codec.keys)
    with pytest.raises(TypeError):
        json.dumps(session.codec.keys)


def test_a_token_that_was_changed_anywhere_opens_under_no_key() -> None:
    key = SessionKey(os.urandom(32))
    token = key.seal(b"said", 5)
    assert key.open(token) == b"said"
    assert key.signed(token)
    data = base64.urlsafe_b64decode(token)
    for place in range(len(data)):
        changed = base64.urlsafe_b64encode(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert key.open(changed) is None
        assert not key.signed(changed)
    assert key.open(b"") is None
    assert not key.signed(b"no token")
