"""What keeps a game going: start, turns, penalties, players who leave, and the end."""

import random
from collections import Counter
from collections.abc import Hashable, Iterator

import attrs
import structlog

from games.qwirkle import breaches, rules
from games.qwirkle.configuration import SlowMove, WrongMove
from games.qwirkle.last_move import Kind, LastMove
from games.qwirkle.match import TURN, Match, placed
from games.qwirkle.member import Member, Members
from games.qwirkle.messages import (
    AbortGame,
    ClientInfo,
    CurrentPlayer,
    EndGame,
    GameState,
    LeavingPlayer,
    MoveValid,
    PlayTiles,
    ScoreResponse,
    SendTiles,
    StartGame,
    StartTiles,
    TileSwapRequest,
    TileSwapResponse,
    TileSwapValid,
    Update,
    Winner,
)
from games.qwirkle.notices import GameOver
from games.qwirkle.settings import LeavingNews, Settings
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.effects import Began, Effect, Ended, Explain, Inform, Release, Send
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.results import ranked

log = structlog.get_logger()

MOVE_DONE = "Der Zug ist gültig."


@attrs.define(eq=False)
class Umpire:
    """Keeps a game going, and decides who is told what about it."""

    match: Match
    members: Members
    settings: Settings
    rng: random.Random
    idle_turns: int = 0  # after so many in a row a silent player has to go; 0: it may stay
    _silence: Counter[int] = attrs.field(factory=Counter)  # turns in a row that ran out
    last_move: LastMove | None = None
    winner: Winner | None = None
    reason: str | None = None  # why it is over
    starters: list[ClientInfo] = attrs.field(factory=list)  # in turn order, also those who left
    moves: int = 0

    # Turns

    def start(self) -> Iterator[Effect]:
        """Raises RuleViolation if there are too few players or tiles."""
        match = self.match
        match.start(self.rng)
        log.info("game started", game_id=match.game_id, players=len(match.players))
        self.starters = [*match.players]
        yield from self._announce()
        yield from self._begin_turn()

    def take_over(self, past: "Umpire") -> Iterator[Effect]:
        """Continue from another game, with these players on the seats there.

        The board is told as if it were one move. A turn that is not over is announced; otherwise
        the next one will be, when everybody has looked at this one.
        """
        match = self.match
        match.take_over(past.match)
        self.moves = past.moves
        self.rng.setstate(past.rng.getstate())
        yield from self._announce()
        if match.board:
            yield self.members.tell(Update(match.board, len(match.position.bag)))
        yield self.members.tell(ScoreResponse(match.scores))
        if not match.position.turn_over and match.current is not None:
            yield self.members.tell(CurrentPlayer(match.current))

    def _announce(self) -> Iterator[Effect]:
        match = self.match
        yield Began([player.client_name for player in match.players])
        yield self.members.tell(StartGame(match.config, [*match.players]))
        for player in match.players:
            member = self.members.player(player.client_id)
            yield Send(member.client, StartTiles(match.hand(player)))

    def time_up(self, timer: Hashable) -> Iterator[Effect]:
        """A turn, or the time to look at one, is over."""
        return self._punish_slowness() if timer == TURN else self._next_turn()

    def _begin_turn(self) -> Iterator[Effect]:
        current = self.match.current
        assert current is not None
        self.match.begin_turn()
        yield self.members.tell(CurrentPlayer(current))

    def _end_turn(self) -> Iterator[Effect]:
        if self.match.config.time_visualization or self.match.state is GameState.PAUSED:
            self.match.show_turn()
        else:
            yield from self._next_turn()

    def _next_turn(self) -> Iterator[Effect]:
        self.match.position = self._advanced(self.match.position)
        yield from self._hand_out()
        if self.match.position.end:
            yield from self._end()
        else:
            yield from self._begin_turn()

    def _advanced(self, position: rules.State) -> rules.State:
        position = rules.advance(position)
        while self.settings.auto_skip and rules.is_stuck(position):
            # Somebody can move, or the game would be over; so this terminates.
            position = rules.advance(rules.end_turn(position))
        return position

    def _hand_out(self) -> Iterator[Effect]:
        """The tiles that the last step drew for the active player."""
        position = self.match.position
        if position.drawn:
            member = self.members.player(position.active.player)
            yield Send(member.client, SendTiles([*position.drawn]))

    # Moves

    def lay(self, member: Member, move: PlayTiles) -> Iterator[Effect]:
        match = self.match
        self._silence.pop(member.info.client_id, None)
        bag = len(match.position.bag)  # the news count it before any hand is refilled
        score = match.position.active.score
        placements = tuple(rules.Placement(t.tile, t.coord_x, t.coord_y) for t in move.tiles)
        try:
            match.position = rules.act(match.position, rules.Lay(placements), self.rng)
        except RuleViolation as violation:
            breach = breaches.against_the_rules(violation.mistake, move, match.position)
            yield self._explain(member, breach)
            reason = f"{violation} ({breach})"
            yield Send(member.client, MoveValid(validation=False, message=reason))
            yield from self._punish_mistake(member)
            return
        self.moves += 1
        earned = match.position.active.score - score
        self.last_move = LastMove(member.info, Kind.LAID, earned, placements)
        # Bots take the tiles from their hand when they receive MoveValid, so it comes first.
        yield Send(member.client, MoveValid(validation=True, message=MOVE_DONE))
        yield self.members.tell(Update([*map(placed, placements)], bag))
        yield from self._hand_out()
        yield from self._end_turn()

    def swap(self, member: Member, move: TileSwapRequest) -> Iterator[Effect]:
        match = self.match
        self._silence.pop(member.info.client_id, None)
        try:
            swap = rules.Swap(tuple(move.tiles))
            match.position = rules.act(match.position, swap, self.rng)
        except RuleViolation as violation:
            breach = breaches.against_the_rules(violation.mistake, move, match.position)
            yield self._explain(member, breach)
            yield Send(member.client, TileSwapValid(validation=False))
            yield from self._punish_mistake(member)
            return
        self.moves += 1
        self.last_move = LastMove(member.info, Kind.SWAPPED)
        yield Send(member.client, TileSwapValid(validation=True))
        yield Send(member.client, TileSwapResponse([*match.position.drawn]))
        yield from self._end_turn()

    # Penalties

    def _explain(self, member: Member, breach: Breach) -> Explain:
        unpunished = self.match.config.wrong_move is WrongMove.NOTHING
        consequence = Consequence.REFUSED if unpunished else Consequence.STRUCK
        return Explain(member.client, breach, consequence)

    def _punish_mistake(self, member: Member) -> Iterator[Effect]:
        config = self.match.config
        match config.wrong_move:
            case WrongMove.POINT_LOSS:
                yield from self._take_points(member, config.wrong_move_penalty, Kind.MISTAKEN)
            case WrongMove.KICK:
                yield from self.send_away(member)

    def _punish_slowness(self) -> Iterator[Effect]:
        config = self.match.config
        member = self.members.player(self.match.position.active.player)
        if not rules.is_stuck(self.match.position):  # otherwise it could do nothing else
            self._silence[member.info.client_id] += 1
            yield Explain(member.client, breaches.slow(config.turn_time), Consequence.STRUCK)
        if self._never_acts(member):
            yield Explain(member.client, breaches.silent(self.idle_turns), Consequence.STRUCK)
            yield from self.send_away(member)
            return
        match config.slow_move:
            case SlowMove.POINT_LOSS:
                yield from self._take_points(member, config.slow_move_penalty, Kind.SLOW)
            case SlowMove.KICK:
                yield from self.send_away(member)

    def _never_acts(self, member: Member) -> bool:
        """Whether a player has now let too many turns run out."""
        return 0 < self.idle_turns <= self._silence[member.info.client_id]

    def _take_points(self, member: Member, points: int, kind: Kind) -> Iterator[Effect]:
        self.last_move = LastMove(member.info, kind, points)
        position = rules.penalise(self.match.position, member.info.client_id, points)
        self.match.position = rules.end_turn(position)
        yield from self._end_turn()

    # Going

    def send_away(self, member: Member) -> Iterator[Effect]:
        """Back to the lobby, voluntarily or not."""
        if member.is_player or self.settings.spectator_leaving is not LeavingNews.NOBODY:
            yield Send(member.client, LeavingPlayer(member.info))
        yield from self.lose(member)
        yield Release(member.client)

    def lose(self, member: Member) -> Iterator[Effect]:
        """Continue without a member that can no longer hear us."""
        self.members.remove(member)
        if member.is_player or self.settings.spectator_leaving is LeavingNews.ALL:
            yield self.members.tell(LeavingPlayer(member.info))
        if member.is_player:
            yield from self._go_on_without(member)

    def _go_on_without(self, player: Member) -> Iterator[Effect]:
        match = self.match
        was_over = match.started and match.position.turn_over
        match.remove(player.info, self.rng)
        if not match.started:
            return
        if match.position.end:
            yield from self._end()
        elif match.position.turn_over and not was_over:
            self.last_move = None  # this turn came to nothing
            yield from self._end_turn()

    # The end

    def abort(self, winner: Member | None) -> Iterator[Effect]:
        yield self.members.tell(AbortGame())
        yield from self._conclude(self.match.winner(winner.info if winner else None), "aborted")

    def _end(self) -> Iterator[Effect]:
        yield self.members.tell(EndGame())
        alone = self.match.position.end is rules.End.ALONE
        yield from self._conclude(self.match.winner(), "left" if alone else "regular")

    def _conclude(self, winner: Winner | None, reason: str) -> Iterator[Effect]:
        self.match.end(self.settings.ended_seconds)
        self.winner, self.reason = winner, reason
        yield self._result(winner, reason)
        if winner is not None:
            yield self.members.tell(winner)
        for member in self.members:
            yield Release(member.client)
        yield Inform(self.game_over)

    @property
    def game_over(self) -> GameOver:
        winner = self.winner.client.client_id if self.winner else None
        return GameOver(str(self.match.game_id), winner, self.match.tournament)

    def _result(self, winner: Winner | None, reason: str) -> Ended:
        scores = self.match.scores
        names = [(player.client_name, scores.get(player)) for player in self.starters]
        place = self.starters.index(winner.client) if winner and self.starters else None
        return Ended(
            players=ranked(names, place, decided=place is not None),
            winner=None if place is None else names[place][0],
            reason=reason,
            moves=self.moves,
        )
