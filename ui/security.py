"""What the desk defends against, and the response headers that are the last line of it.

The desk runs on a person's own machine and holds customers' conversations. Who could want in, and what stops
them:

1. **Another web page in the same browser.** It can send requests to this address and open a socket, but not
   read without permission. Requests with a foreign Origin are refused (the server's CORS and XSRF checks are
   left on); a name that is made to resolve here (DNS rebinding) carries a foreign Host, for which there is
   no socket (`allowedHosts` in .streamlit/config.toml): it gets the page's files, which hold nothing of the
   desk, and no word of any session. No page may show the desk inside a frame (`frame-ancestors`).
2. **Stored text**: what customers, models and tools wrote. It is escaped wherever it is drawn (ui/text.py)
   and is never a label, a hint or Markdown. Should an escape ever be missing, the policy below still
   loads no image, script, font or frame from anywhere else and submits no form.
3. **Links.** `?session=` and `?backend=` are only ever looked up (ui/state.py); opening a link stores
   nothing, sends nothing and decides nothing. Keys and passphrases are never in an address.
4. **Uploads** are off: no control of the page takes a file, and the server's limit is 5 MB.
5. **Other users of the machine.** The server listens on the loopback address only. Who can open that
   address can read and write as its owner: on a shared machine, put a proxy with a login before it.
"""

from __future__ import annotations

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:",  # Streamlit's own page needs these
        "style-src 'self' 'unsafe-inline' blob:",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws://localhost:* ws://127.0.0.1:*",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Referrer-Policy": "no-referrer",  # session ids are in the address; no other site learns them
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class SecurityHeaders:
    """ASGI middleware that puts `HEADERS` on every HTTP response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await self.app(scope, receive, guarded)
