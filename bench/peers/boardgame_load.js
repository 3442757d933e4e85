'use strict';
// Players for boardgame.io: matches by its lobby's REST interface, moves by its own transport
// library (socket.io-client). Its full client would compute every state a second time.
const { io } = require('socket.io-client');
const { serve } = require('./replay');

const url = `http://127.0.0.1:${process.argv[2]}`;
const idle = [];

function open() {
  const socket = io(`${url}/hexxagon`, { transports: ['websocket'], forceNew: true });
  return new Promise((resolve) => socket.on('connect', () => resolve(socket)));
}

async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/games/hexxagon/${path}`, {
    method: 'POST', headers, body: JSON.stringify(body),
  });
  return response.json();
}

class Player {
  constructor(socket, matchID, playerID, credentials, see) {
    Object.assign(this, { socket, matchID, playerID, credentials });
    socket.on('update', (_, state) => {
      this.state = state;
      see(state.G.turn - 1);
    });
  }

  sync() {
    return new Promise((resolve) => {
      this.socket.on('sync', (_, info) => {
        this.state = info.state;
        resolve();
      });
      this.socket.emit('sync', this.matchID, this.playerID, this.credentials, 2);
    });
  }

  say(from, to) {
    const { matchID, playerID, credentials } = this;
    const payload = { type: 'go', args: [from, to], playerID, credentials };
    this.socket.emit('update', { type: 'MAKE_MOVE', payload }, this.state._stateID, matchID, playerID);
  }

  points() {
    return [this.state.G.one, this.state.G.two];
  }

  leave() {
    this.socket.disconnect();
  }
}

async function seat(matchID, playerID, see) {
  const name = `Player${playerID}`;
  const { playerCredentials } = await post(`${matchID}/join`, { playerID, playerName: name });
  const socket = idle.pop() || (await open());
  const player = new Player(socket, matchID, playerID, playerCredentials, see);
  await player.sync();
  return player;
}

serve({
  connect: async (count) => {
    for (let n = 0; n < count; n++) idle.push(await open());
  },
  start: async (see) => {
    const { matchID } = await post('create', { numPlayers: 2 });
    return [
      await seat(matchID, '0', (moves) => see(0, moves)),
      await seat(matchID, '1', (moves) => see(1, moves)),
    ];
  },
});
