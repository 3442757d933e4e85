'use strict';
// What all servers here share: they say when they are ready, and free memory when they are asked.

function ready(port) {
  // Started with --expose-gc: before memory is read, nothing may lie around that could be freed.
  process.on('SIGWINCH', () => global.gc());
  process.stdout.write(`node ready on ws://127.0.0.1:${port}\n`);
}

module.exports = { ready };
