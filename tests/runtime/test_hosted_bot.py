"""A bot that the daemon hosts goes on in the next process."""

import random

from games.hexxagon import GAME
from games.hexxagon.messages import Uuid, Welcome
from ludothek.contract.clock import Clock
from ludothek.contract.player import PlayerOptions
from ludothek.runtime.hosted_bot import HostedBot
from transports.memory import memory_link_pair


def test_a_bot_survives_a_process_that_dies_before_the_bot_has_said_anything() -> None:
    codec = GAME.codec(Clock(), GAME.settings())
    player = GAME.player(PlayerOptions(lobby="here"), random.Random(1))
    [*player.hear(Welcome(user_id=Uuid("me"), welcome_message="hello"))]
    memory = HostedBot(player, codec, memory_link_pair()[0], "here", lasting=True).remember()
    again = HostedBot.recall(memory, codec, memory_link_pair()[0])
    assert again.remember() == memory
