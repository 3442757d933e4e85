'use strict';
// Hexxagon on Colyseus. As it comes, changes of the state are sent every 50 ms; with `tuned` they
// are sent after every move.
const { Server, Room } = require('@colyseus/core');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const { schema } = require('@colyseus/schema');
const hexxagon = require('./hexxagon');
const { ready } = require('./process');

const TUNED = process.argv[3] === 'tuned';

const Match = schema(
  { cells: ['uint8'], turn: 'uint16', next: 'uint8', one: 'uint8', two: 'uint8' },
  'Match',
);

class HexxagonRoom extends Room {
  maxClients = 2;
  patchRate = TUNED ? null : 50;

  onCreate() {
    this.setState(new Match({ cells: hexxagon.startCells(), turn: 1, next: 1, one: 6, two: 6 }));
    this.players = [];
    this.onMessage('go', (client, { from, to }) => this.go(this.players.indexOf(client) + 1, from, to));
  }

  onJoin(client) {
    this.players.push(client);
  }

  go(player, from, to) {
    const { state } = this;
    if (player !== state.next || !hexxagon.isLegal(state.cells, player, from, to)) return;
    state.next = hexxagon.move(state.cells, player, from, to);
    state.turn += 1;
    state.one = hexxagon.points(state.cells, 1);
    state.two = hexxagon.points(state.cells, 2);
    if (TUNED) this.broadcastPatch();
  }
}

// Where connections are that play nothing.
class Foyer extends Room {
  onCreate() {}
}

const server = new Server({ transport: new WebSocketTransport({}), greet: false });
server.define('hexxagon', HexxagonRoom);
server.define('foyer', Foyer);
server.listen(Number(process.argv[2]), '127.0.0.1').then(() => ready(process.argv[2]));
