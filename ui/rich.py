"""An agent's words, set a little nicer without losing a character.

Bold, inline code, headings and fences are shown as such, and the marks that say so stay, dimmed. There are
no links, images, tables or formulas: what a model writes can load nothing and hide nothing. The text
content of the result is exactly the text that went in, so copying gives back what is stored.
"""

from __future__ import annotations

import re

from .text import CUT, MOST, html, plain
from .words import t

_INLINE = re.compile(
    r"(?P<tick>`{1,2})(?P<code>[^`\n]+)(?P=tick)|(?P<star>\*\*)(?P<bold>[^\s*](?:[^*\n]*[^\s*])?)\*\*"
)
_HEADING = re.compile(r"(#{1,6} )(.+)")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")


def rich(value: str) -> str:
    """Markup for a text of moderate length."""
    lines, fence = [], ""
    for row in plain(value).split("\n"):
        opened = _FENCE.match(row)
        if fence:
            lines.append(
                _mark(row) if opened and opened[1] == fence else f'<code class="md-code">{html(row)}</code>'
            )
            fence = "" if opened and opened[1] == fence else fence
        elif opened:
            lines.append(_mark(row))
            fence = opened[1]
        elif heading := _HEADING.fullmatch(row):
            lines.append(f"<b>{_mark(heading[1])}{_inline(heading[2])}</b>")
        else:
            lines.append(_inline(row))
    return "\n".join(lines)


def folded(value: str, *, formatted: bool = False) -> str:
    """Markup for a text of any length: the beginning, and the rest behind "Show all"."""
    text = plain(value, MOST)
    dress = rich if formatted else html
    if len(text) <= CUT:
        return dress(text)
    words = html(t("show_all", n=len(str(value))))
    rest = f'<span class="md-rest">{html(text[CUT:])}</span>'
    if len(str(value)) > MOST:
        rest += f'<p class="md-dim">{html(t("only_first", n=MOST))}</p>'
    return f'{dress(text[:CUT])}<details class="md-more"><summary>{words}</summary>{rest}</details>'


def _mark(text: str) -> str:
    return f'<span class="md-mark">{html(text)}</span>'


def _inline(row: str) -> str:
    out, at = [], 0
    for found in _INLINE.finditer(row):
        out.append(html(row[at : found.start()]))
        if found["tick"]:
            tick = _mark(found["tick"])
            out.append(f'<code class="md-code">{tick}{html(found["code"])}{tick}</code>')
        else:
            out.append(f"<b>{_mark('**')}{html(found['bold'])}{_mark('**')}</b>")
        at = found.end()
    out.append(html(row[at:]))
    return "".join(out)
