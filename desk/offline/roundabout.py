"""Questions about what was done or could be that are built like requests: "please tell me whether it was
cancelled", 请告诉我有没有取消, "remind me to cancel it", "my friend wants a refund, is that possible?".

However politely they are asked, an answer is wanted and no deed. English and simplified Chinese, for one
folded clause.
"""

from __future__ import annotations

import re

from .cues import any_of

# "Tell me whether it was cancelled", 请告诉我有没有取消: asked about, however politely.
_INDIRECT = any_of(
    r"\b(?:tell|remind|show|inform|let) (?:me|us)\b[^,]*?\b(?:if|whether|which|what|who|when|why|how|where)\b"
    r"(?! you (?:can|could)\b)",
    r"\b(?<!make )(?:confirm|verify|check|know|wonder\w*|sure|find out|remember|recall|see)\b[^,]{0,20}?"
    r"\b(?:if|whether|which|what|who|when|how)\b(?! you (?:can|could)\b)",
    r"\bhow (?:to|do i|can i|would i|i (?:can|could|do))\b|\bremind me to\b",
    r"有没有|是不是|是否|有无|提醒我|(?:怎么|如何|怎样)[^,]{0,8}(?:取消|退|改)"
    r"|(?:知道|告诉我|确认|问一?下)[^,]{0,12}(?:能|可以|可否)",
)
_SO_FAR = any_of(
    r"\b(?:was|were|is|are|has|have|had|got|been|you|already)\b[^,]*?"
    r"\b(?:cancell?ed|refunded|changed|switched|moved|undone|updated)\b",
    r"(?:有没有|是不是|是否|有无)(?!.{0,3}[能可会]|办法|可能|机会|必要|需要|应该|[要想])",
)
_DIRECT = re.compile(
    r"^(?:(?:please|pls|then|so|now|just|kindly)[ ,]+)*(?:cancel|refund|change|switch|move|undo|revert|send"
    r"|deliver|ship|make|put|return)\b|^(?:请|请?帮我|麻烦)?(?:取消|退|把|改)",
    re.ASCII,
)


def indirect(clause: str) -> bool:
    """Whether a folded clause asks in a roundabout way, and wants an answer rather than a deed."""
    return _INDIRECT.search(clause) is not None and _DIRECT.search(clause) is None


def asks_so_far(clause: str) -> bool:
    """Whether an indirect question is about what was done, rather than what could be."""
    return indirect(clause) and _SO_FAR.search(clause) is not None


_IS_IT_POSSIBLE = any_of(
    r"^(?:and |so |but )?(?:is|would|will) (?:that|it|this)(?: be)? (?:possible|allowed|doable|an option)\b"
    r"|^possible$|^(?:can|could) (?:that|it|this) be done\b"
    r"|^(?:is|would) (?:that|this) (?:something you|work)\b",
    r"^(?:这样?)?(?:有?可能|允许|办得到|做得到|行得通|能办到?)吗?$",
)


def asks_whether_possible(clause: str) -> bool:
    """Whether a folded clause asks of what the one before it wants whether that can be done."""
    return _IS_IT_POSSIBLE.search(clause) is not None
