"""Push panels, gears, energy spaces and checkpoints at the end of a register."""

from games.roborally.rules.cards import REGISTERS
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import CheckPointReached, Energy, GameFinished
from games.roborally.rules.robots import chain, shift, turn
from games.roborally.rules.state import Player


def push_panels(draft: Draft) -> None:
    falls = []
    before = {player.player_id: player.position for player in draft.state.players}
    for player in _in_order(draft):
        # A robot that was moved by a panel is not pushed by the next one as well.
        place = draft.player(player.player_id).position
        panel = draft.course.push_panels.get(place) if place else None
        if place != before[player.player_id] or panel is None:
            continue
        if draft.state.register in panel.registers:
            robots = chain(draft.state, player.player_id, panel.orientation) or ()
            falls += shift(draft, robots, panel.orientation)
    draft.do_next(*falls)


def gears(draft: Draft) -> None:
    for player in _in_order(draft):
        gear = draft.course.gears.get(player.position) if player.position else None
        if gear is not None:
            turn(draft, player.player_id, gear.rotation)


def energy_spaces(draft: Draft) -> None:
    """Give every robot on an energy space its cube; an empty one gives only in register 5."""
    for player in _in_order(draft):
        if player.position is None or player.position not in draft.course.energy:
            continue
        cubes = draft.state.energy[player.position]
        if cubes:
            draft.evolve(energy={**draft.state.energy, player.position: cubes - 1})
            # Via the bank, which can never lack a cube that was just put there.
            draft.evolve(bank=draft.state.bank + 1)
        if cubes or draft.state.register == REGISTERS:
            gain_energy(draft, player.player_id, "field")


def gain_energy(draft: Draft, player_id: int, source: str) -> None:
    """Take one energy from the bank, if there is one."""
    if draft.state.bank:
        pay_energy(draft, player_id, -1, source)


def pay_energy(draft: Draft, player_id: int, amount: int, source: str) -> None:
    """Return energy of a player to the bank; a negative amount takes some."""
    energy = draft.player(player_id).energy - amount
    draft.change(player_id, energy=energy)
    draft.evolve(bank=draft.state.bank + amount)
    draft.tell(Energy(player_id, energy, source))


def checkpoints(draft: Draft) -> None:
    for player in _in_order(draft):
        number = player.checkpoint + 1
        if draft.state.checkpoints[number - 1] == player.position:
            draft.change(player.player_id, checkpoint=number)
            draft.tell(CheckPointReached(player.player_id, number))
            if number == len(draft.state.checkpoints):
                draft.evolve(winner=player.player_id, agenda=())
                draft.tell(GameFinished(player.player_id))
                return


def _in_order(draft: Draft) -> list[Player]:
    return [draft.player(player_id) for player_id in draft.state.order]
