'use strict';
// Players for Colyseus, with its own client.
const { Client } = require('colyseus.js');
const { serve } = require('./replay');

const client = new Client(`ws://127.0.0.1:${process.argv[2]}`);
const idle = [];

class Player {
  constructor(room, see) {
    this.room = room;
    room.onStateChange((state) => see(state.turn - 1));
  }

  say(from, to) {
    this.room.send('go', { from, to });
  }

  points() {
    return [this.room.state.one, this.room.state.two];
  }

  leave() {
    return this.room.leave();
  }
}

serve({
  connect: async (count) => {
    for (let n = 0; n < count; n++) idle.push(await client.joinOrCreate('foyer'));
  },
  start: async (see) => {
    // A connection belongs to one room: whoever plays leaves the foyer.
    await Promise.all(idle.splice(0).map((room) => room.leave()));
    const one = await client.create('hexxagon');
    const two = await client.joinById(one.roomId);
    return [new Player(one, (moves) => see(0, moves)), new Player(two, (moves) => see(1, moves))];
  },
});
