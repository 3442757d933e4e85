"""The course of a round: named stages that put the steps of a turn on the agenda."""

from collections.abc import Callable, Mapping

from games.roborally.rules import belts, damage, elements, execution, lasers, reboots, robots, shop
from games.roborally.rules.antenna import ranking
from games.roborally.rules.decisions import Program, Purchase, RegisterCard
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import ActiveCard, ActivePhase, CurrentCards, CurrentPlayer
from games.roborally.rules.programming import deal, end_programming
from games.roborally.rules.state import NO_REGISTERS, Phase, Player
from games.roborally.rules.steps import (
    ROUND,
    Advance,
    Call,
    Execute,
    Fall,
    Hacked,
    Replace,
    Stage,
    Step,
    Suffer,
)


def perform(draft: Draft, step: Step) -> None:
    """Do one step that needs no decision."""
    match step:
        case Stage():
            STAGES[step](draft)
        case Call():
            _call(draft, step)
        case Execute():
            execution.execute(draft, step)
        case Hacked():
            execution.hacked(draft, step)
        case Replace():
            execution.replace(draft, step)
        case Advance():
            robots.advance(draft, step)
        case Fall():
            reboots.reboot(draft, step)
        case Suffer():
            damage.suffer(draft, step)


def _call(draft: Draft, step: Call) -> None:
    player = draft.player(step.player_id)
    if isinstance(step.decision, RegisterCard) and not _acts(draft, player):
        return
    if not player.absent:
        draft.tell(CurrentPlayer(step.player_id))
    draft.do_next(step.decision)


def _enter(draft: Draft, phase: Phase) -> None:
    draft.evolve(phase=phase, register=0)
    draft.tell(ActivePhase(int(phase)))


def upgrade_phase(draft: Draft) -> None:
    _enter(draft, Phase.UPGRADE)
    if draft.state.round > 1:
        shop.refresh(draft)
    draft.do_next(*(Call(Purchase(player_id)) for player_id in ranking(draft.state)))


def programming_phase(draft: Draft) -> None:
    _enter(draft, Phase.PROGRAMMING)
    for player in draft.state.players:
        if not player.absent:
            deal(draft, player.player_id)
    draft.do_next(Program(), Stage.END_OF_PROGRAMMING)


def activation_phase(draft: Draft) -> None:
    _enter(draft, Phase.ACTIVATION)
    draft.change_all(may_turn=False)


def register(draft: Draft) -> None:
    """Reveal the cards of the next register and fix the order of the players."""
    number = draft.state.register + 1
    privileged = [p.player_id for p in draft.state.players if number in p.privileges and p.active]
    draft.evolve(register=number, order=ranking(draft.state, privileged))
    draft.change_all(acted=False, hacks=0, shielded=False)
    cards = [
        ActiveCard(player.player_id, card)
        for player in draft.state.players
        if player.active and (card := player.registers[number - 1]) is not None
    ]
    if cards:
        draft.tell(CurrentCards(tuple(cards)))
    draft.do_next(*(Call(RegisterCard(player_id)) for player_id in draft.state.order))


def _acts(draft: Draft, player: Player) -> bool:
    return player.active and player.registers[draft.state.register - 1] is not None


def end_of_round(draft: Draft) -> None:
    for player in draft.state.players:
        cards = tuple(card for card in player.registers if card is not None)
        draft.change(player.player_id, discard=cards + player.discard)
    draft.change_all(
        registers=NO_REGISTERS,
        finished=False,
        rebooted=False,
        spoiled=frozenset(),
        privileges=frozenset(),
    )
    draft.evolve(round=draft.state.round + 1)
    draft.do_next(*ROUND)


STAGES: Mapping[Stage, Callable[[Draft], None]] = {
    Stage.UPGRADE_PHASE: upgrade_phase,
    Stage.PROGRAMMING_PHASE: programming_phase,
    Stage.END_OF_PROGRAMMING: end_programming,
    Stage.ACTIVATION_PHASE: activation_phase,
    Stage.REGISTER: register,
    Stage.BLUE_BELTS: lambda draft: belts.run_belts(draft, belts.BLUE),
    Stage.GREEN_BELTS: lambda draft: belts.run_belts(draft, belts.GREEN),
    Stage.PUSH_PANELS: elements.push_panels,
    Stage.GEARS: elements.gears,
    Stage.BOARD_LASERS: lasers.board_lasers,
    Stage.ROBOT_LASERS: lasers.robot_lasers,
    Stage.ENERGY_SPACES: elements.energy_spaces,
    Stage.CHECKPOINTS: elements.checkpoints,
    Stage.END_OF_ROUND: end_of_round,
}
