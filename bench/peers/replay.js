'use strict';
// Replays recorded games, in the same way as native/replay.c: whoever has move k makes it as soon
// as it has seen the state after k moves; the time of a move runs until the opponent has seen it.
// Commands come as JSON lines on stdin and are answered on stdout.
const fs = require('fs');
const readline = require('readline');

const records = JSON.parse(fs.readFileSync(process.argv[3], 'utf8'));
const BATCH = 20; // matches that are set up at the same time
const now = () => Number(process.hrtime.bigint()) / 1e3; // microseconds

class Match {
  constructor(record, players) {
    this.record = record;
    this.players = players; // two, each with say(from, to)
    this.seen = [0, 0]; // moves whose outcome each player has seen
    this.said = 0;
    this.allowed = 0;
    this.began = [];
    this.see = () => {}; // until it is played
  }
}

class Run {
  constructor(matches, rate, seconds, moves) {
    this.most = moves || Infinity; // of each match
    this.matches = matches;
    this.rate = rate;
    this.micros = [];
    this.waiting = 0;
    this.due = 0;
    this.stopped = false;
    this.start = now();
    this.end = this.start + seconds * 1e6;
    this.done = new Promise((resolve) => (this.finish = resolve));
  }

  play() {
    this.matches.forEach((match, number) => {
      match.see = (player, moves) => this.see(number, player, moves);
      if (!this.rate) match.allowed = Infinity;
    });
    if (this.rate) this.tick();
    else this.matches.forEach((_, number) => this.goOn(number));
    this.timer = setTimeout(() => this.stop(), (this.end - now()) / 1e3);
    return this.done;
  }

  over({ said, record }) {
    return said >= Math.min(record.moves.length, this.most);
  }

  dueAt(step) {
    return this.start + (step / this.rate) * 1e6;
  }

  tick() {
    if (this.stopped) return;
    while (this.dueAt(this.due) <= now()) {
      const number = this.due % this.matches.length;
      this.matches[number].allowed += 1;
      this.due += 1;
      this.goOn(number);
    }
    // A timer would be up to a millisecond late; this looks again after every round of I/O.
    setImmediate(() => this.tick());
  }

  goOn(number) {
    const match = this.matches[number];
    if (this.stopped || this.over(match) || match.said >= match.allowed) return;
    const [player, from, to] = match.record.moves[match.said];
    if (match.seen[player] < match.said) return;
    match.began[match.said] = this.rate
      ? this.dueAt(match.said * this.matches.length + number)
      : now();
    match.said += 1;
    this.waiting += 2;
    match.players[player].say(from, to);
  }

  see(number, player, moves) {
    const match = this.matches[number];
    while (match.seen[player] < moves) {
      const [mover] = match.record.moves[match.seen[player]];
      if (player !== mover) this.micros.push(now() - match.began[match.seen[player]]);
      match.seen[player] += 1;
      this.waiting -= 1;
    }
    this.goOn(number);
    if (!this.waiting && (this.stopped || this.matches.every((each) => this.over(each)))) this.stop();
  }

  stop() {
    this.stopped = true;
    if (this.waiting) return;
    clearTimeout(this.timer);
    const seconds = (now() - this.start) / 1e6;
    this.finish({ steps: this.micros.length, seconds, micros: this.micros });
  }
}

async function dealMatch(clients, record) {
  const match = new Match(record, []);
  match.players = await clients.start((player, moves) => match.see(player, moves));
  return match;
}

/** Serves commands with the clients of one kind of server. */
function serve(clients) {
  let idle = 0; // clients that do nothing
  let matches = [];
  let dealt = []; // the latest of them
  const commands = {
    connect: async ({ count }) => {
      await clients.connect(count);
      idle += count;
    },
    deal: async () => {
      const count = idle / 2;
      dealt = [];
      idle = 0;
      while (dealt.length < count) {
        const batch = Array.from({ length: Math.min(BATCH, count - dealt.length) }, (_, number) =>
          dealMatch(clients, records[(dealt.length + number) % records.length]));
        dealt.push(...(await Promise.all(batch)));
      }
      matches.push(...dealt);
    },
    play: async ({ rate, seconds, moves }) => new Run(dealt, rate, seconds, moves).play(),
    leave: async () => {
      for (const match of matches) for (const player of match.players) check(match, player);
      await Promise.all(matches.flatMap((match) => match.players.map((player) => player.leave())));
      idle += 2 * matches.length;
      matches = [];
    },
  };
  readline.createInterface({ input: process.stdin }).on('line', async (line) => {
    const command = JSON.parse(line);
    const answer = (await commands[command.do](command)) || {};
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  });
}

/** A game that was played to the end must have ended as it was recorded. */
function check({ record, said }, player) {
  const points = player.points();
  if (said === record.moves.length && String(points) !== String(record.points)) {
    throw new Error(`the game ended ${points}, not ${record.points}`);
  }
}

module.exports = { serve };
