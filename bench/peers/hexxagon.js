'use strict';
// The rules of Hexxagon for the servers on Node, the same as games/hexxagon/rules.py: tiles 0 to 60
// column by column, 0 is free, 1 and 2 are stones, 3 is blocked.

const RADIUS = 4;
const START = '2.B.2........B.B.....11...2.B1B1B.2...11.....B.B........2.B.2';
const SIGNS = { '.': 0, 1: 1, 2: 2, B: 3 };

const places = [];
for (let q = -RADIUS; q <= RADIUS; q++) {
  for (let r = Math.max(-RADIUS, -RADIUS - q); r <= Math.min(RADIUS, RADIUS - q); r++) {
    places.push([q, r]);
  }
}

function distance([q, r], [x, y]) {
  return Math.max(Math.abs(x - q), Math.abs(y - r), Math.abs(x - q + y - r));
}

const DISTANCES = places.map((one) => places.map((other) => distance(one, other)));
const NEAR = DISTANCES.map((row) => [...row.keys()].filter((tile) => row[tile] === 1));
const REACH = DISTANCES.map((row) => [...row.keys()].filter((t) => row[t] === 1 || row[t] === 2));

const startCells = () => [...START].map((sign) => SIGNS[sign]);

const points = (cells, player) => {
  let count = 0;
  for (let tile = 0; tile < 61; tile++) if (cells[tile] === player) count++;
  return count;
};

function canMove(cells, player) {
  for (let tile = 0; tile < 61; tile++) {
    if (cells[tile] === 0 && REACH[tile].some((from) => cells[from] === player)) return true;
  }
  return false;
}

const isLegal = (cells, player, from, to) =>
  cells[from] === player && cells[to] === 0 && DISTANCES[from][to] <= 2;

/** Makes a legal move on the cells; returns who is next (1 or 2), or 0 if the game is over. */
function move(cells, player, from, to) {
  const other = 3 - player;
  if (DISTANCES[from][to] === 2) cells[from] = 0;
  cells[to] = player;
  for (const tile of NEAR[to]) if (cells[tile] === other) cells[tile] = player;
  if (points(cells, other) === 0) return 0;
  if (canMove(cells, other)) return other;
  return canMove(cells, player) ? player : 0;
}

module.exports = { startCells, points, isLegal, move };
