/** The teams, the score and what is going on, above the pitch. */

import { svg } from "/assets/svg.js";
import { plain } from "/assets/words.js";
import { who } from "./entities.js";
import { shape } from "./figures.js";

const NAME = 25; // size of the letters
const ROOM = 19; // letters of that size
const SHORTEST = 13;

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
      question.textContent = questionText(view, scenery, t);
      view.players.forEach((seat, index) => {
        users[index].textContent = short(plain(seat.name));
      });
    },
  };
}

function name(team, index, frame) {
  const side = index ? "right" : "left";
  const size = Math.max(SHORTEST, Math.min(NAME, (NAME * ROOM) / team.name.length));
  const x = index ? frame.right - 14 : frame.left + 14;
  return svg(
    "g",
    { class: `team ${side}` },
    svg("g", { transform: `translate(${x} ${frame.top + 26})` }, shape(side, 9)),
    svg(
      "text",
      { class: "name", x: index ? x - 20 : x + 20, y: frame.top + 34, "font-size": size.toFixed(1) },
      team.name,
    ),
  );
}

function user(side, frame) {
  const x = side === "left" ? frame.left + 2 : frame.right - 2;
  return svg("text", { class: `user ${side}`, x, y: frame.top + 62 });
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

/** Whom the match waits for, and for what. */
export function questionText({ board }, scenery, t) {
  if (!board.asked) return "";
  const kind = board.again ? "again" : board.asked.type;
  return t(`board.ask.${kind}`, { who: who(board.asked.entity, scenery, t) });
}
