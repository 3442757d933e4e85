"""Logging organisers in to the web page, and out of it."""

import trio

from ludothek.control.messages import BareRequest, LinkView, LogOutView
from ludothek.control.organiser import NotOffered, Organiser
from ludothek.control.sessions import LINK_SECONDS, Sessions

_keeping = trio.Lock()


def web(organiser: Organiser, _: BareRequest) -> LinkView:
    sessions = _sessions(organiser)
    # Behind the sign, where no server, proxy or log sees it: only the page's own script does.
    url = f"{sessions.page}organiser#key={sessions.invite()}"
    return LinkView(url=url, seconds=LINK_SECONDS)


async def log_out(organiser: Organiser, _: BareRequest) -> LogOutView:
    sessions = _sessions(organiser)
    count = sessions.log_out_all()
    await keep(sessions)
    return LogOutView(sessions=count)


async def keep(sessions: Sessions) -> None:
    """Let the next process know who is logged in; what is known last is written last."""
    async with _keeping:
        if save := sessions.save():
            await trio.to_thread.run_sync(save)


def _sessions(organiser: Organiser) -> Sessions:
    if organiser.sessions is None or not organiser.sessions.page:
        raise NotOffered("this daemon has no web page: see --web and --no-web")
    return organiser.sessions
