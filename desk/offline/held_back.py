"""Words for a refund or a cancellation that ask for none: it is declined ("hold off on cancelling"), only
thought of ("I might cancel it"), or told of ("the website says it was cancelled").

What cannot be taken back is done when it is asked for, and not because it is spoken of. English and
simplified Chinese, for one folded clause.
"""

from __future__ import annotations

from .cues import any_of, begs

_DEED = r"(?:cancel\w*|refund\w*|return\w*|money)"
_DECLINED = any_of(
    r"\b(?:under no circumstances|by no means|on no account|no (?:longer )?need (?:for|to)|rather not)\b"
    rf".*\b{_DEED}",
    rf"\b(?:hold off|hold back|refrain|keep|abstain|wait)\b (?:on|with|from|before) .*\b{_DEED}",
    r"\b(?:stop|halt|abort|pause|ignore|disregard|withdraw|retract|revoke|forget|drop|scratch|take back) "
    r"(?:about |with )?(?:(?:my|the|that|this|any|all) )?(?:\w+ )?(?:request\w* (?:to|for) )?(?:a )?"
    rf"{_DEED}\b",
    rf"\b(?:i'd|i would|i'll) (?:hate|regret|be (?:sad|sorry|annoyed|upset)) .*\b{_DEED}",
    r"\b(?:you|they|we|nobody|no one) (?:can't|cannot|can not|may not|won't|must not|are not allowed to) "
    rf"(?:just |simply |really )?{_DEED}",
    r"\b(?:refunds?|cancell?ations?) (?:is |was |are |be )?(?:not|un)\s?(?:needed|necessary|required|wanted)"
    r"|\b(?:refunds?|cancell?ations?) (?:isn't|wasn't|aren't) (?:needed|necessary|required|wanted)"
    rf"|\b(?:fine|good|happy|ok|okay) without (?:a |the |any )?{_DEED}",
    rf"\b(?:decided|against|am|is|are) (?:against|not to)\b.*\b{_DEED}|\bdecided against (?:it|that)\b",
    rf"\b(?:than|instead of) (?:a |the |any |my |to )?{_DEED}\b",
    r"(?:取消|退[款货钱]?)(?:就|倒|倒是|的话|嘛|这事)*(?:不必|不用|算了|免了|不需要|不要)",
    r"(?:暂时|暂|先|还|现在|目前)(?:还)?不(?:急着?|忙着?|着急|打算|准备|考虑)?(?:要|去)?(?:取消|退)",
    r"(?:撤回|收回|作废|忽略|当我没)[^,]{0,6}(?:取消|退款)",
)
_CONSIDERED = any_of(
    r"\b(?:might|may(?! i\b)|maybe|perhaps|possibly|probably|thinking|thought|consider\w*|contemplat\w*"
    r"|wonder\w*(?! (?:if|whether) (?:you|i|we) (?:can|could|would|might))|debating|undecided|unsure|not sure"
    rf"|tempted|in two minds)\b.*\b{_DEED}",
    r"^(?:and |so |but )*(?:before|until|in case|when|once|after|what if|suppose|imagine|say) (?:i|we|you)"
    rf"(?:'d|'ll)? (?:\w+ )?{_DEED}",
    r"\bif (?:i|we) (?:do |did |were to |would |should )?(?:cancel|refund|return)",
    r"可能(?:会|要|得|想)?[^,]{0,4}(?:取消|退)|也许|或许|说不定|(?:考虑|犹豫|纠结)(?!好|清楚|完|过)"
    r"|没想好|没决定|以后再[^,]{0,3}(?:取消|退)|要不要(?:取消|退)",
)
_HOPED = any_of(
    r"\b(?:would|'d|might|could) be (?:\w+ )?(?:nice|great|good|lovely|cool|appreciated|ideal"
    r"|welcome|perfect|wonderful|awesome|fine|helpful|fair|best)\b"
    r"|\b(?:wouldn't (?:mind|say no)|would not (?:mind|say no))\b",
    r"(?:能|有|要是|如果)[^,]{0,10}(?:就好|就太好|最好|多好|就行)"
    r"|(?:也不错|也好|再好不过|最好不过|更好)[了啊呢的]*$",
)
_SOMEBODY = (
    r"(?:someone|somebody|they|you|he|she"
    r"|(?:the|your|my) (?:web ?site|app|e-?mail|page|system|shop|store|courier|driver|message|text))"
)
_TOLD = any_of(
    rf"\b{_SOMEBODY} (?:says?|said|shows?|tells? me|claims?|reads)\b.*\b(?:cancell?ed|refunded)\b",
    rf"\b{_SOMEBODY}(?: has| have|'s|'ve)? (?:just |already |apparently |suddenly )?"
    r"(?:cancell?ed|refunded)\b",
    r"\b(?:it|this|that|order|parcel|[a-z]+\d+) (?:was|got|is|has been|'s been) (?:\w+ )?"
    r"(?:cancell?ed|refunded)\b",
)
_WANTED = any_of(
    r"\b(?:want|need|like|please|pls|make sure|get|have|see to|should|must|can|could|cancel|refund)\b"
)
_PUT_OFF = any_of(r"^(?:先)?(?:等|待)(?!等)[^,]+$")


_DISAGREES = any_of(
    r"^(?:but )?(?:i|we) (?:disagree|don't agree|do not agree|don't want (?:to|that|it)|refuse|said no"
    r"|won't)$",
    r"^(?:但是?|可是?|不过)?我(?:并|还是|自己|其实)*(?:不想|不同意|不愿意?|没同意|反对|不赞成)[了啊呢的]*$",
)


def disagrees(clause: str) -> bool:
    """Whether a clause is against what the one before it tells that somebody wants."""
    return _DISAGREES.search(clause.strip()) is not None


def puts_off(before: str, between: str) -> bool:
    """Whether a clause waits for something before what comes behind it: 等我想好再取消."""
    return between.strip() == "再" and _PUT_OFF.search(before.strip()) is not None


def declines(clause: str) -> bool:
    """Whether a folded clause says that it is not to be done, by other words than a plain "not"."""
    return _DECLINED.search(clause) is not None


def considers(clause: str) -> bool:
    """Whether a folded clause only thinks of it."""
    return _CONSIDERED.search(clause) is not None and not begs(clause)


def hopes(clause: str) -> bool:
    """Whether a folded clause says how nice it would be, and leaves it to the desk."""
    return _HOPED.search(clause) is not None


def tells(clause: str) -> bool:
    """Whether a folded clause tells that it was done, by whomever, and wants nothing."""
    return _TOLD.search(clause) is not None and _WANTED.search(clause) is None
