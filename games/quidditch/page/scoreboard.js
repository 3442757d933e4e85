/** The teams, the score and what is going on, above the pitch. */

import { svg } from "/assets/svg.js";
import { plain } from "/assets/words.js";
import { who } from "./entities.js";
import { shape } from "./figures.js";

const LARGEST = 25; // letters of a name
const ROOM = 430; // how wide a name may be, in letters of size 1
const LONG = 22; // a name with more letters than this takes two lines

/**
 * @param {object} scenery
 * @param {{left: number, right: number, top: number}} frame
 * @param {Function} t
 */
export function createScoreboard(scenery, frame, t) {
  const centre = (frame.left + frame.right) / 2;
  const score = svg("text", { class: "score", x: centre, y: frame.top + 46 });
  const status = svg("text", { class: "status", x: centre, y: frame.top + 74 });
  const question = svg("text", { class: "question", x: centre, y: frame.top + 99 });
  const users = ["left", "right"].map((side) => user(side, frame));
  const names = scenery.teams.map((team, index) => name(team, index, frame));
  return {
    element: svg("g", { class: "scoreboard" }, names, users, score, status, question),
    show(view) {
      const [left, right] = view.players;
      score.textContent = `${left.score} : ${right.score}`;
      status.textContent = statusText(view, scenery, t);
      const sign = view.board.pause ? "❚❚ " : "";
      question.textContent = sign + questionText(view, scenery, t);
      question.classList.toggle("paused", Boolean(view.board.pause));
      view.players.forEach((seat, index) => showUser(users[index], seat, t));
    },
  };
}

function name(team, index, frame) {
  const side = index ? "right" : "left";
  const lines = linesOf(team.name);
  const size = Math.min(LARGEST, ROOM / Math.max(...lines.map((line) => line.length)));
  const edge = index ? frame.right - 14 : frame.left + 14;
  const x = index ? edge - 20 : edge + 20;
  const first = frame.top + (lines.length > 1 ? 22 : 34);
  return svg(
    "g",
    { class: `team ${side}` },
    svg("g", { transform: `translate(${edge} ${frame.top + 26})` }, shape(side, 9)),
    svg(
      "text",
      { class: "name", "font-size": size.toFixed(1) },
      lines.map((line, number) => svg("tspan", { x, y: first + number * size * 1.1 }, line)),
    ),
  );
}

/** A long name is broken at the space that is nearest to its middle. */
function linesOf(name) {
  const spaces = [...name.matchAll(/ /g)].map((found) => found.index);
  if (name.length <= LONG || spaces.length === 0) return [name];
  const far = (index) => Math.abs(index - name.length / 2);
  const cut = spaces.reduce((best, each) => (far(each) < far(best) ? each : best));
  return [name.slice(0, cut), name.slice(cut + 1)];
}

function showUser(text, seat, t) {
  const name = short(plain(seat.name));
  text.textContent = seat.gone ? t("board.gone", { name }) : name;
  text.classList.toggle("gone", seat.gone);
}

function user(side, frame) {
  const x = side === "left" ? frame.left + 2 : frame.right - 2;
  return svg("text", { class: `user ${side}`, x, y: frame.top + 66 });
}

function short(text) {
  const letters = [...text];
  return letters.length > 16 ? `${letters.slice(0, 15).join("")}…` : text;
}

/** "Round 5 of 30 · player phase · snitch from round 13", or how it has ended. */
export function statusText({ board, stage, winner }, scenery, t) {
  if (stage === "ended") return winner ? t("board.won", { winner }) : t("board.void");
  if (!board.phase) return t("board.forming");
  const { round, phase } = board;
  const { maxRounds: max, snitchRound } = scenery;
  const parts = [t(round > max ? "board.overtime" : "board.rounds", { round, max }), t(`board.${phase}`)];
  if (board.balls.snitch) parts.push(t("board.snitch.there"));
  else if (round < snitchRound) parts.push(t("board.snitch.later", { round: snitchRound }));
  return parts.join(" · ");
}

/** Why nothing happens, or whom the match waits for, and for what. */
export function questionText({ board }, scenery, t) {
  if (board.pause) return t("board.paused", { name: short(plain(board.pause.by)) });
  if (!board.asked) return "";
  const kind = board.again ? "again" : board.asked.type;
  return t(`board.ask.${kind}`, { who: who(board.asked.entity, scenery, t) });
}
