// boardgame.io with the smallest game that two can play: one line of state, turns that alternate.
//   node boardgame.js memory | postgres FOLDER_OF_SOCKET DATABASE
const { Server } = require('boardgame.io/server');
const [storage, host, database] = process.argv.slice(2);
const game = {
  name: 'duel',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ moves: 0, text: '' }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { play: ({ G }, text) => { G.moves++; G.text = text; } },
};
const options = { games: [game], origins: ['http://127.0.0.1'] };
if (storage === 'postgres') {
  const { PostgresStore } = require('bgio-postgres');
  options.db = new PostgresStore({ database, username: 'postgres', password: '', host, port: 5432, logging: false, pool: { max: 20 } });
}
const say = console.log;
console.info = console.log = () => {};
Server(options).run({ port: 0, callback: () => {} }).then(({ appServer }) => say(`ws://127.0.0.1:${appServer.address().port}/socket.io/?EIO=4&transport=websocket`));
