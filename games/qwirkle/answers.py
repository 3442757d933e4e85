"""What a member of a game gets to know when it asks; who may ask is settled before."""

from games.qwirkle.company import Member
from games.qwirkle.messages import (
    BagRequest,
    BagResponse,
    GameDataRequest,
    GameDataResponse,
    News,
    PlayerHandsRequest,
    PlayerHandsResponse,
    Request,
    ScoreRequest,
    ScoreResponse,
    TotalTimeRequest,
    TotalTimeResponse,
    TurnTimeLeftRequest,
    TurnTimeLeftResponse,
)
from games.qwirkle.session import Session


def answer(session: Session, member: Member, question: Request) -> News:
    """The response to a question.

    «Alle Antworten auf Request-Anfragen basieren auf dem Stand der bereits per CurrentPlayer oder
    Update an alle Clients verschickt wurde»: a move and the news of it are one step, so there is
    no other state to be seen.
    """
    match question:
        case ScoreRequest():
            return ScoreResponse(session.scores)
        case TurnTimeLeftRequest():
            return TurnTimeLeftResponse(session.turn_left)
        case TotalTimeRequest():
            return TotalTimeResponse(session.total_time)
        case BagRequest():
            return session.told(BagResponse, lambda: BagResponse(session.bag))
        case PlayerHandsRequest() if not session.started:
            return PlayerHandsResponse(session.hands)  # empty ones, of players who come and go
        case PlayerHandsRequest():
            return session.told(PlayerHandsResponse, lambda: PlayerHandsResponse(session.hands))
        case GameDataRequest():
            return _game_data(session, member)
    raise AssertionError(f"{question} is no question")


def _game_data(session: Session, member: Member) -> GameDataResponse:
    return GameDataResponse(
        board=session.board,
        current_client=session.current,
        own_tiles=session.hand(member.info) if member.is_player else [],
        game_state=session.state,
    )
