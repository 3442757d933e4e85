"""Why something could not be read, in a few words, however much the peer has sent."""

# Characters. Reasons end up in logs, in crash reports and in answers to whoever caused them: none
# of these may grow with what a peer puts into its messages.
MAX_REASON = 200


def brief(reason: str) -> str:
    """The reason, truncated if it is too long."""
    return reason if len(reason) <= MAX_REASON else f"{reason[: MAX_REASON - 1]}…"
