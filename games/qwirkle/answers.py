"""The answers to members' questions about a game; whether they may ask is checked before."""

from games.qwirkle.match import Match
from games.qwirkle.member import Member
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


def answer(match: Match, member: Member, question: Request) -> News:
    """The response to a question.

    «Alle Antworten auf Request-Anfragen basieren auf dem Stand der bereits per CurrentPlayer oder
    Update an alle Clients verschickt wurde»: a move and the news of it are one step, so there is
    no other state to be seen.
    """
    match question:
        case ScoreRequest():
            return ScoreResponse(match.scores)
        case TurnTimeLeftRequest():
            return TurnTimeLeftResponse(match.turn_left)
        case TotalTimeRequest():
            return TotalTimeResponse(match.total_time)
        case BagRequest():
            return match.news(BagResponse, lambda: BagResponse(match.bag))
        case PlayerHandsRequest() if not match.started:
            return PlayerHandsResponse(match.hands)  # empty ones, of players who come and go
        case PlayerHandsRequest():
            return match.news(PlayerHandsResponse, lambda: PlayerHandsResponse(match.hands))
        case GameDataRequest():
            return _game_data(match, member)
    raise AssertionError(f"{question} is no question")


def _game_data(match: Match, member: Member) -> GameDataResponse:
    return GameDataResponse(
        board=match.board,
        current_client=match.current,
        own_tiles=match.hand(member.info) if member.is_player else [],
        game_state=match.state,
    )
