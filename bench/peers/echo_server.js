'use strict';
// An echo server on `ws`, the usual WebSocket library of Node.
const { WebSocketServer } = require('ws');
const { ready } = require('./process');

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 }, () => ready(server.address().port));

server.on('connection', (socket) => {
  socket.on('message', (data) => socket.send(data, { binary: false }));
});
