'use strict';
// Hexxagon on boardgame.io, as its tutorial suggests: the whole state goes to both players.
const { Server, Origins } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');
const hexxagon = require('./hexxagon');
const { ready } = require('./process');

const game = {
  name: 'hexxagon',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: hexxagon.startCells(), turn: 1, next: 1, one: 6, two: 6 }),
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: () => 0, next: ({ G }) => Math.max(0, G.next - 1) },
  },
  moves: {
    go: ({ G, playerID }, from, to) => {
      const player = Number(playerID) + 1;
      if (!hexxagon.isLegal(G.cells, player, from, to)) return INVALID_MOVE;
      G.next = hexxagon.move(G.cells, player, from, to);
      G.turn += 1;
      G.one = hexxagon.points(G.cells, 1);
      G.two = hexxagon.points(G.cells, 2);
      return undefined;
    },
  },
  endIf: ({ G }) => (G.next === 0 ? { one: G.one, two: G.two } : undefined),
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
// It has no way to listen on this machine only, nor to let the system choose a port and tell it.
server.run({ port: Number(process.argv[2]) }, () => ready(process.argv[2]));
