"""What an edit would do, in sentences: what goes and stays, what is taken along and why, what stays done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .effects import effect_words
from .icons import symbol
from .markup import show
from .text import html, line
from .timeline import kind_words
from .words import sentences, t, word

if TYPE_CHECKING:
    from desk.values import Preview

MOST = 4  # taken-along entries and effects that are named; the rest are counted


def draw(preview: Preview) -> None:
    """Draw it."""
    show(markup(preview), "md-preview")


def decision_line(words: str) -> str:
    """A sentence about a decision that ends, with its symbol: for `show(..., "md-preview")`."""
    return _line("event_busy", words)


def behind_line(count: int) -> str:
    """How many entries a branch leaves behind, the same way."""
    return _line("link_off", t("branch_leaves", n=count))


def possible(preview: Preview) -> bool:
    """Whether the edit can be made and would change something."""
    return preview.plan is not None and (preview.plan.removed > 0 or bool(preview.plan.superseded))


def markup(preview: Preview) -> str:
    """The sentences as the page's own markup."""
    return "".join(_lines(preview))


def _lines(preview: Preview) -> list[str]:
    plan = preview.plan
    if plan is None:
        return [_line("info", word("reason", preview.reason or "", "reason_unknown", **preview.params))]
    if not possible(preview):
        return [_line("info", t("nothing_goes"))]
    lines = [_line("content_cut", _goes(preview))]
    if plan.taken:
        lines.append(_line("link", t("taken_along", n=len(plan.taken))))
        for taken in plan.taken[:MOST]:
            why = word("because", taken.because, "because_call")
            what = t("taken_entry_unnumbered", kind=kind_words(taken.entry), why=why)
            if taken.entry.position is not None:
                what = t("taken_entry", n=taken.entry.position, kind=kind_words(taken.entry), why=why)
            lines.append(_line("", what))
        if len(plan.taken) > MOST:
            lines.append(_line("", t("and_more", n=len(plan.taken) - MOST)))
    if plan.superseded:
        ends = [t("decision_ends", n=len(plan.superseded))]
        ends += [t("closing_goes", n=plan.closing_go)] if plan.closing_go else []
        ends += [t("closing_stays", n=plan.closing_stay)] if plan.closing_stay else []
        lines.append(decision_line(sentences(ends)))
    if preview.effects:
        lines.append(_line("bolt", t("stays_done", n=len(preview.effects)), "warn"))
        lines += [_line("", line(effect_words(effect)), "warn") for effect in preview.effects[:MOST]]
        if len(preview.effects) > MOST:
            lines.append(_line("", t("and_more", n=len(preview.effects) - MOST), "warn"))
    return lines


def _goes(preview: Preview) -> str:
    plan = preview.plan
    assert plan is not None
    values = {"n": plan.removed}
    if plan.first_turn is None or not plan.last_turn:  # not counted, or all before the first turn
        words = t("goes", **values)
    elif plan.first_turn == 0:
        words = t("goes_up_to", last=plan.last_turn, **values)
    elif plan.first_turn == plan.last_turn:
        words = t("goes_turn", turn=plan.first_turn, **values)
    else:
        words = t("goes_turns", first=plan.first_turn, last=plan.last_turn, **values)
    return words if plan.kept is None else sentences((words, t("stays", n=plan.kept)))


def _line(icon: str, text: str, tone: str = "") -> str:
    sign = symbol(icon) if icon else '<i class="md-i" aria-hidden="true"></i>'
    return f'<p data-tone="{tone}">{sign}<span>{html(text)}</span></p>'
