"""Who is an organiser among those who ask: the cookie, and protection against forgery."""

from collections.abc import Callable
from hmac import compare_digest

import attrs
import structlog
from starlette.requests import Request
from starlette.responses import Response

from ludothek.control.sessions import SESSION_SECONDS, Credentials, Session, Sessions
from ludothek.kit.brake import Brake
from ludothek.settings.limits import origin
from ludothek.web.repeater import NotShown
from transports import unstopped_time

log = structlog.get_logger()

# Secrets are longer than anybody can guess; this keeps guesses out of the log and off the CPU.
FREE_GUESSES = 5
LONGEST_WAIT = 60.0
FORGIVENESS = 60.0

TOKEN = "x-ludothek-token"
LIVE = "live"
ADVICE = "log in with the link that `platform ctl web` prints"


@attrs.frozen
class Visit:
    """A request of an organiser."""

    session: Session
    secret: str


class Login:
    """Lets organisers in, and recognises them again."""

    def __init__(
        self, sessions: Sessions, port: int, clock: Callable[[], float] = unstopped_time
    ) -> None:
        self._sessions = sessions
        # Browsers do not tell the ports of a host apart, and there may be several daemons.
        self._cookie = f"ludothek-{port}"
        self._clock = clock
        self._brake = Brake(
            free=FREE_GUESSES, first=1.0, longest=LONGEST_WAIT, forgiveness=FORGIVENESS
        )

    # Coming and going

    def enter(self, request: Request, invitation: str) -> Credentials:
        """Begin a session; raises NotShown.

        A right secret is right however many wrong ones came from the same address: nobody can lock
        out the organisers.
        """
        check_origin(request)
        place, now = origin(request.scope["ludothek.host"]), self._clock()
        entered = self._sessions.log_in(invitation)
        if entered is not None:
            log.info("organiser logged in", session=entered.session.number, address=place)
            return entered
        wait = self._brake.delay(place, now)
        if wait:
            raise NotShown(429, f"too many wrong links; wait {wait:.0f} seconds")
        self._brake.failed(place, now)
        log.warning("a wrong link to log in", address=place)
        raise NotShown(
            401, "this link was used or has expired; `platform ctl web` prints a new one"
        )

    def leave(self, visit: Visit) -> None:
        self._sessions.log_out(visit.secret)
        log.info("organiser logged out", session=visit.session.number)

    # Requests

    def find(self, request: Request) -> Visit | None:
        """Who asks, if that is an organiser."""
        secret = request.cookies.get(self._cookie, "")
        session = self._sessions.find(secret) if secret else None
        return None if session is None else Visit(session, secret)

    def look(self, request: Request) -> Visit:
        """Whose cookie that is; raises NotShown."""
        if (visit := self.find(request)) is None:
            raise NotShown(401, ADVICE)
        return visit

    def read(self, request: Request) -> Visit:
        """Who wants to know something; raises NotShown."""
        visit = self.look(request)
        if not visit.session.knows(request.headers.get(TOKEN, "")):
            raise NotShown(403, f"the header {TOKEN} is missing or wrong; load the page again")
        return visit

    def follow(self, request: Request) -> Visit:
        """Who wants to follow events; raises NotShown."""
        visit = self.look(request)
        shown = request.query_params.get(LIVE, "")
        if not compare_digest(shown.encode(errors="replace"), visit.session.live.encode()):
            raise NotShown(403, f"{LIVE} is missing or wrong in the address; load the page again")
        return visit

    def change(self, request: Request) -> Visit:
        """Who wants to change something, and certainly wants that; raises NotShown."""
        self.look(request)
        check_origin(request)
        return self.read(request)

    def goes_on(self, visit: Visit) -> Callable[[], bool]:
        """Tells whether a session has not ended yet."""
        return lambda: self._sessions.alive(visit.session)

    # Answers

    def remember(self, response: Response, request: Request, credentials: Credentials) -> None:
        """Have the browser show its secret with each request to this host."""
        self._set(response, request, credentials.secret, int(SESSION_SECONDS))

    def forget(self, response: Response, request: Request) -> None:
        self._set(response, request, "", 0)

    def _set(self, response: Response, request: Request, value: str, seconds: int) -> None:
        response.set_cookie(
            self._cookie,
            value,
            max_age=seconds,
            path="/",
            secure=request.scope["scheme"] == "https",
            httponly=True,
            samesite="strict",
        )


def check_origin(request: Request) -> None:
    """Refuse what a page of another site, or a form, has made a browser send; raises NotShown."""
    here = f"{request.scope['scheme']}://{request.headers.get('host', '')}".lower()
    there = request.headers.get("origin", "nowhere").lower()
    if there != here or request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        advice = "; does the proxy pass on Host and X-Forwarded-Proto?"
        raise NotShown(403, f"this is {here}, and the request comes from {there[:200]}{advice}")
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise NotShown(415, "requests that change something are JSON (Content-Type)")
