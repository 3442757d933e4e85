/** A position in sentences, for screen readers. */

import { entity, SIDES, teamOf, who } from "./entities.js";
import { questionText, statusText } from "./scoreboard.js";

/** @returns {string} */
export function description(view, scenery, t) {
  const { board, players } = view;
  const sentences = [score(players, scenery, t), `${statusText(view, scenery, t)}.`];
  if (board.pause) sentences.push(`${t("board.paused", { name: board.pause.by })}.`);
  for (const seat of players.filter((each) => each.gone)) {
    sentences.push(`${t("board.away", { name: seat.name, seconds: scenery.patience })}.`);
  }
  if (board.asked && !board.pause) {
    sentences.push(t("describe.asked", { question: questionText(view, scenery, t) }));
  }
  if (board.balls) sentences.push(...things(board, scenery, t));
  return sentences.join(" ");
}

function score([left, right], scenery, t) {
  return t("describe.score", {
    home: teamOf(scenery, "left").name,
    left: left.name,
    homePoints: left.score,
    away: teamOf(scenery, "right").name,
    right: right.name,
    awayPoints: right.score,
  });
}

function things(board, scenery, t) {
  const { balls, holder, cubes } = board;
  const at = at_(balls.quaffle);
  const list = (ids) => ids.map((id) => who(id, scenery, t)).join(", ");
  return [
    holder ? t("describe.holder", { who: who(holder, scenery, t), at }) : t("describe.quaffle", { at }),
    balls.snitch && t("describe.snitch", { at: at_(balls.snitch) }),
    t("describe.bludgers", { one: at_(balls.bludger1), two: at_(balls.bludger2) }),
    board.knockout.length && t("describe.knockout", { who: list(board.knockout) }),
    board.banned.length && t("describe.banned", { who: list(board.banned) }),
    cubes.length && t("describe.cubes", { at: cubes.map(at_).join(", ") }),
    ...SIDES.map((side) => t("describe.team", { team: teamOf(scenery, side).name, places: places(board, side, t) })),
  ].filter(Boolean);
}

function places(board, side, t) {
  return Object.entries(board.players)
    .map(([id, place]) => ({ ...entity(id), place }))
    .filter((each) => each.side === side && !board.banned.includes(each.id))
    .map(({ role, number, place }) => `${`${t(`name.${role}`)} ${number}`.trim()} ${at_(place)}`)
    .join(", ");
}

function at_(place) {
  return place.join("|");
}
