"""Which Material symbol stands for what. The font comes with Streamlit; nothing is fetched from elsewhere.

A symbol never stands alone: a word is beside it, and readers that speak the page are told to skip it.
"""

from __future__ import annotations

from memory.entries import Kind, State

KINDS: dict[str, str] = {
    Kind.USER: "person",
    Kind.ASSISTANT: "robot_2",
    Kind.TOOL_CALL: "build",
    Kind.TOOL_OUTPUT: "output",
    Kind.HANDOFF: "swap_horiz",
    Kind.REASONING: "psychology",
    Kind.SUMMARY: "summarize",
    Kind.OTHER: "data_object",
}

STATES: dict[str, str] = {
    State.EXPIRED: "timer_off",
    State.AHEAD: "more_time",
    State.LOCKED: "lock",
    State.CORRUPT: "key_off",
    State.PLAINTEXT: "lock_open",
    State.UNPAIRED: "link_off",
}

AGENTS: dict[str, str] = {"Triage": "support_agent", "Approval": "how_to_reg", "Summary": "summarize"}

NOTES: dict[str, str] = {
    "stopped": "stop_circle",
    "refused": "block",
    "withheld": "visibility_off",
    "superseded": "event_busy",
    "interrupted": "power_off",
    "unsaved": "cloud_off",
    "failed": "error",
    "limit": "hourglass_disabled",
    "left_out": "filter_list_off",
    "copying": "content_copy",
    "copied": "content_copy",
}

# How a call ended that did nothing; any other code has the cross.
CODES: dict[str, str] = {
    "declined": "block",
    "superseded": "event_busy",
    "interrupted": "power_off",
    "stopped": "stop_circle",
}


def agent(name: str | None) -> str:
    """The symbol of an agent; any agent that is not one of the desk's own has the general one."""
    return AGENTS.get(name or "", "robot_2")


def symbol(name: str) -> str:
    """The symbol in the page's own markup."""
    return f'<i class="md-i" data-i="{name}" aria-hidden="true"></i>'


def material(name: str) -> str:
    """The symbol for a widget's `icon=`."""
    return f":material/{name}:"
