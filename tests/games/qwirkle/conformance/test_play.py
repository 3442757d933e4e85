"""Qwirkle over real sockets: starting, moves, penalties, questions."""

from typing import Any

import pytest

from ludothek.contract.orders import Start
from tests.games.qwirkle.party import CALM, ELSEWHERE, STILL, party, placed

# 4.3 Spiellogik


async def test_a_start_is_announced_with_configuration_order_and_hands() -> None:
    """Benachrichtigt über den Spielstart und sendet die Konfiguration sowie eine Liste aller
    Spieler an alle Clients. Sendet dem Spieler die erste Spielhand mit der konfigurierten Anzahl an
    Spielsteinen.
    """
    async with party(players=3, spectators=1, maxHandTiles=4, **CALM) as found:
        found.order(Start())
        for guest in found.everybody:
            start = await guest.hear(400)
            assert start["config"]["maxHandTiles"] == 4
            assert start["clients"] == [player.info for player in found.players]
        for player in found.players:
            assert len((await player.hear(408))["tiles"]) == 4
        assert (await found.all_hear(409))["client"] == found.players[0].info
        hands = [tile["uniqueId"] for player in found.players for tile in player.hand]
        assert len(set(hands)) == 12


async def test_a_hand_is_filled_up_when_its_player_s_turn_begins() -> None:
    """Füllt die Hand des Spielers mit Steinen aus dem Bag. (Vector 40: 416 says 90; the tile comes
    directly before the mover's own next 409.)
    """
    async with party(players=3, spectators=1, **CALM) as found:
        await found.start()
        anna, bert, carla = found.players
        await anna.lay_first()
        assert (await anna.hear(415))["validation"] is True
        update = await found.all_hear(416)
        assert update["numberTilesInBag"] == 90
        assert update["updates"] == [placed(anna.hand[0])]
        assert (await found.all_hear(409))["client"] == bert.info
        for player in (bert, carla):
            await player.say(411, tiles=player.hand[:1])
            await player.hear(412, 413)
            if player is bert:
                await found.all_hear(409)
        refill = await anna.hear(410)
        assert len(refill["tiles"]) == 1
        assert (await found.all_hear(409))["client"] == anna.info


async def test_the_first_move_needs_a_tile_on_the_origin() -> None:
    """In jedem Spiel muss beim ersten PlayTiles (414) genau einen Stein die Koordinaten (x, y) =
    (0, 0) haben. Ansonsten ist der Zug nicht valide und der Server sendet dem Client MoveValid
    (415) mit validation = false.
    """
    async with party(wrongMove="NOTHING", **CALM) as found:
        await found.start()
        anna, _ = found.players
        await anna.lay_first(ELSEWHERE)
        answer = await anna.hear(415)
        assert answer["validation"] is False
        assert answer["message"]
        await anna.lay_first()
        assert (await anna.hear(415))["validation"] is True


async def test_swapped_tiles_are_replaced_by_others_and_nobody_else_hears_of_it() -> None:
    """Der Server tauscht die Steine eines TileSwapRequest (411) ein und sendet dem Spieler neue
    Steine. (Vector 45.)
    """
    async with party(players=2, spectators=1, **STILL) as found:
        await found.start()
        anna, bert = found.players
        (xaver,) = found.spectators
        before = await xaver.ask(423, 424)
        await anna.say(411, tiles=anna.hand[:2])
        assert (await anna.hear(412)) == {"validation": True, "uniqueId": 412}
        drawn = (await anna.hear(413))["tiles"]
        assert len(drawn) == 2
        assert not any(tile in anna.hand[:2] for tile in drawn)
        after = await xaver.ask(423, 424)
        assert len(after["bag"]) == len(before["bag"])
        await bert.hears_nothing()


@pytest.mark.parametrize("count", [0, 3])
async def test_swapping_more_than_the_bag_holds_or_nothing_is_a_wrong_move(count: int) -> None:
    """Ein TileSwapRequest ist nicht valide, wenn der Client mehr Steine anfordert, als er auf der
    Hand hat oder noch im Bag sind. (Vector 46: two in the bag.)
    """
    config: dict[str, Any] = {"colorShapeCount": 3, "tileCount": 2, "maxHandTiles": 8}
    async with party(wrongMovePenalty=4, **config, **STILL) as found:
        await found.start()
        anna, _ = found.players
        await anna.say(411, tiles=anna.hand[:count])
        assert (await anna.hear(412))["validation"] is False
        scores = (await anna.ask(417, 418))["scores"]
        assert scores[0] == [anna.info, -4]


# 6 Konfiguration: penalties


async def test_a_wrong_move_may_cost_nothing() -> None:
    """NOTHING: Der Spieler bekommt keine Strafe und darf in seiner verbleibenden Zugzeit einen
    neuen Zug machen. (Vector 41.)
    """
    async with party(wrongMove="NOTHING", wrongMovePenalty=9, **CALM) as found:
        await found.start()
        anna, bert = found.players
        for _ in range(3):
            await anna.lay_first(ELSEWHERE)
            assert (await anna.hear(415))["validation"] is False
        await anna.lay_first()
        await anna.hear(415, 416, 409)
        await bert.hear(416, 409)
        assert (await anna.ask(417, 418))["scores"] == [[anna.info, 1], [bert.info, 0]]


async def test_a_wrong_move_may_cost_points_and_the_turn() -> None:
    """POINT_LOSS: Die in penalty definierte Anzahl an Punkten wird vom Punktekonto des Spielers
    subtrahiert. (Vector 42.)
    """
    async with party(wrongMove="POINT_LOSS", wrongMovePenalty=2, **CALM) as found:
        await found.start()
        anna, bert = found.players
        await anna.lay_first(ELSEWHERE)
        assert (await anna.hear(415))["validation"] is False
        assert (await found.all_hear(409))["client"] == bert.info
        assert (await anna.ask(417, 418))["scores"] == [[anna.info, -2], [bert.info, 0]]


async def test_a_wrong_move_may_cost_the_seat() -> None:
    """KICK: Der Client wird wieder in die Lobby überwiesen. (Vector 43.)"""
    async with party(players=3, wrongMove="KICK", **CALM) as found:
        await found.start()
        anna, bert, carla = found.players
        await anna.lay_first(ELSEWHERE)
        assert (await anna.hear(415))["validation"] is False
        assert (await found.all_hear(406))["client"] == anna.info
        assert (await bert.hear(409))["client"] == bert.info
        await carla.hear(409)
        assert (await carla.ask(417, 418))["scores"] == [[bert.info, 0], [carla.info, 0]]
        (game,) = (await anna.ask(300, 301))["games"]  # anna is in the lobby
        assert game["players"] == [bert.info, carla.info]
        await anna.refused(920, 302, gameId=1)
        await bert.lay_first(ELSEWHERE)
        await bert.hear(415, 406)
        await bert.hears_nothing()
        winner = await carla.hear(406, 401, 407)
        assert winner["client"] == carla.info
        assert winner["leaderboard"] == [[carla.info, 0]]


async def test_unknown_tiles_are_no_move() -> None:
    """414 Spieler: Der Stein ist nicht bekannt. ParsingError."""
    async with party(wrongMove="KICK", **CALM) as found:
        await found.start()
        anna, _ = found.players
        tile = anna.hand[0]
        for stranger in (
            tile | {"uniqueId": 108},
            tile | {"uniqueId": -1},
            tile | {"color": (tile["color"] + 1) % 6},
            tile | {"shape": 6},
        ):
            await anna.refused(910, 414, tiles=[placed(stranger)])
            await anna.refused(910, 411, tiles=[stranger])
        await anna.lay_first()
        assert (await anna.hear(415))["validation"] is True


async def test_tiles_of_others_and_doubled_tiles_are_wrong_moves() -> None:
    async with party(wrongMove="NOTHING", **CALM) as found:
        await found.start()
        anna, bert = found.players
        for tiles in ([placed(bert.hand[0])], [placed(anna.hand[0]), placed(anna.hand[0], 1)], []):
            await anna.lay(*tiles)
            assert (await anna.hear(415))["validation"] is False
        for swapped in (bert.hand[:1], [anna.hand[0], anna.hand[0]], anna.hand + bert.hand[:1]):
            await anna.say(411, tiles=swapped)
            assert (await anna.hear(412))["validation"] is False


async def test_moves_at_the_wrong_time_or_by_the_wrong_client_change_nothing() -> None:
    """Vector 47."""
    async with party(players=2, spectators=1, **STILL) as found:
        anna, bert = found.players
        (xaver,) = found.spectators
        await anna.refused(920, 414, tiles=[])
        await found.start()
        await bert.refused(920, 414, tiles=[placed(bert.hand[0])])
        await bert.refused(920, 411, tiles=bert.hand)
        await xaver.refused(900, 414, tiles=[placed(bert.hand[0])])
        await anna.lay_first()
        await anna.hear(415, 416)
        await anna.refused(920, 414, tiles=[placed(anna.hand[1], 1)])  # time to look at it
        await bert.hear(416)
        await bert.refused(920, 414, tiles=[placed(bert.hand[0], 1)])
        await xaver.hear(416)
        assert (await xaver.ask(498, 499))["currentClient"] == anna.info


# Reading


async def test_answers_show_what_has_been_published() -> None:
    """Fragt ein Beobachter mit GameDataRequest (498) die Spieldaten ab, ist OwnTiles eine leere
    Liste. (Vector 54.)
    """
    async with party(players=2, spectators=1, **CALM) as found:
        anna, bert = found.players
        (xaver,) = found.spectators
        assert await xaver.ask(498, 499) == {
            "board": [],
            "currentClient": anna.info,
            "ownTiles": [],
            "gameState": "NOT_STARTED",
            "uniqueId": 499,
        }
        assert (await xaver.ask(421, 422))["time"] == 0
        assert (await xaver.ask(419, 420))["time"] == 600_000
        assert (await xaver.ask(425, 426))["hands"] == [[anna.info, []], [bert.info, []]]
        assert len((await xaver.ask(423, 424))["bag"]) == 108
        await found.start()
        assert (await bert.ask(498, 499))["ownTiles"] == bert.hand
        await anna.lay_first()
        await anna.hear(415)
        await found.all_hear(416, 409)
        data = await xaver.ask(498, 499)
        assert data["board"] == [placed(anna.hand[0])]
        assert (data["currentClient"], data["ownTiles"]) == (bert.info, [])
        assert (await anna.ask(498, 499))["ownTiles"] == anna.hand[1:]
        hands = await xaver.ask(425, 426)
        assert hands["hands"] == [[anna.info, anna.hand[1:]], [bert.info, bert.hand]]
        bag = (await xaver.ask(423, 424))["bag"]
        assert len(bag) == 96
        assert [tile["uniqueId"] for tile in bag] == sorted(tile["uniqueId"] for tile in bag)


async def test_a_game_without_players_has_no_current_client_and_no_scores() -> None:
    async with party(players=0, spectators=1) as found:
        (xaver,) = found.spectators
        assert "currentClient" not in await xaver.ask(498, 499)
        assert (await xaver.ask(417, 418))["scores"] == {}
        assert (await xaver.ask(425, 426))["hands"] == {}
