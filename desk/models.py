"""Which model answers: the environment decides, and the page says why.

    nothing set                             the offline model (`desk.offline`)
    OPENAI_API_KEY                          OpenAI, through the Responses API
    OPENAI_BASE_URL [and OPENAI_API_KEY]    an OpenAI-compatible server, through Chat Completions
    DESK_MODEL (or OPENAI_DEFAULT_MODEL)    the model's name, for both
    DESK_WORD_PAUSE                         seconds between the offline model's words, to watch it stream

Choosing is cheap and loads nothing. A key is looked at here only for what could not be sent in a header; it
appears in no name, parameter or error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from agents import Model

    from .call_ids import Used

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-5.6-luna"  # the SDK's own default
ANY_MODEL = "default"  # for servers that serve one model and do not mind its name

_KEY = re.compile(r"[\x21-\x7e]+")


class ModelSetupError(Exception):
    """The settings of the model cannot be used. `key` says why, as in `ModelChoice.problem`."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class MakeModel(Protocol):
    """Makes the model, from any thread; `used` is asked which call ids had an effect already."""

    def __call__(self, used: Used | None = None) -> Model: ...


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model that answers.

    `name` is the model's name. `why_key` ("offline", "openai" or "compatible") and `params` (name, and the
    server's host where it is not OpenAI's) are for the page's sentence. `problem` is None, or why the
    settings cannot be used: "bad_key" (the API key is blank, or holds something no key holds) or "bad_url"
    (the base URL is no http address). `make` makes the model, from any thread, and raises ModelSetupError
    where there is a problem. A remote model makes its client in the loop that first uses it.
    """

    name: str
    why_key: str
    make: MakeModel
    params: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None


def choose_model(env: Mapping[str, str] | None = None) -> ModelChoice:
    """The model for these settings, those of the process by default. Never raises."""
    env = os.environ if env is None else env
    given, url = env.get("OPENAI_API_KEY", ""), env.get("OPENAI_BASE_URL", "").strip()
    if not given and not url:
        pause = _seconds(env.get("DESK_WORD_PAUSE", ""))
        return ModelChoice("offline", "offline", lambda used=None: _offline(pause), {"name": "offline"})

    why = "compatible" if url else "openai"
    asked = env.get("DESK_MODEL", "").strip() or env.get("OPENAI_DEFAULT_MODEL", "").strip()
    name = asked or (ANY_MODEL if url else DEFAULT_MODEL)
    params = {"name": name, **({"host": _host(url)} if url else {})}
    key = given.strip()
    if given and not _KEY.fullmatch(key):
        message = "OPENAI_API_KEY is blank or holds a character that no API key has."
        return _unusable(name, why, params, ModelSetupError("bad_key", message))
    if url and not params["host"]:
        message = "OPENAI_BASE_URL is not an address like http://localhost:8000/v1."
        return _unusable(name, why, params, ModelSetupError("bad_url", message))

    def make(used: Used | None = None) -> Model:
        from .call_ids import never_used
        from .remote import RemoteModel

        # Servers that want no key get a word in its place: the client insists on one.
        return RemoteModel(name, url or OPENAI_URL, key or "none", chat=bool(url), used=used or never_used)

    return ModelChoice(name, why, make, params)


def _offline(pause: float) -> Model:
    from .offline import OfflineModel

    return OfflineModel(pause=pause)


def _seconds(text: str) -> float:
    """A pause between words that keeps the page alive: 0 to 5 seconds, 0 for what is no number."""
    try:
        return min(max(float(text or 0), 0.0), 5.0)
    except ValueError:
        return 0.0


def _unusable(name: str, why: str, params: Mapping[str, str], error: ModelSetupError) -> ModelChoice:
    def make(used: Used | None = None) -> Model:
        raise error

    return ModelChoice(name, why, make, params, error.key)


def _host(url: str) -> str:
    """The host (and port) of a base URL, "" where it is not one. Never a user name or password in it."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    return f"{parts.hostname}{port}" if parts.scheme in ("http", "https") and parts.hostname else ""
