/** Quidditch: the pitch, the teams, their fans, the balls, and what has just happened. */

import { el } from "/assets/dom.js";
import { svg } from "/assets/svg.js";
import { paint } from "./colours.js";
import { description } from "./description.js";
import { BALLS, entity, MARKS, POSITIONS, SIDES, teamOf } from "./entities.js";
import { ball, cube, fans, players } from "./figures.js";
import { ballPlace, bench, frame, middle, seat } from "./geometry.js";
import { ground } from "./ground.js";
import { marks } from "./marks.js";
import { createScoreboard } from "./scoreboard.js";

/**
 * @param {object} scenery the pitch and both teams
 * @param {Function} t
 */
export function createBoard(scenery, t) {
  const { pitch } = scenery;
  const box = frame(pitch);
  const scoreboard = createScoreboard(scenery, box, t);
  const figures = SIDES.flatMap((side) => players(side, scenery, t));
  const stands = SIDES.flatMap((side) => fans(side, scenery, t));
  const balls = BALLS.map((name) => ball(name, t));
  const trail = svg("g", { class: "trail" });
  const cubes = svg("g", { class: "cubes" });
  const halo = svg("circle", { class: "halo", r: 22.5 });
  const element = svg(
    "svg",
    {
      class: "board quidditch",
      role: "img",
      "aria-label": t("board.forming"),
      viewBox: [box.left, box.top, box.width, box.height].join(" "),
    },
    ground(pitch, box),
    cubes,
    trail,
    halo,
    svg("g", { class: "stands" }, stands),
    svg("g", { class: "teams" }, figures),
    svg("g", { class: "balls" }, balls),
    scoreboard.element,
  );
  paint(element, scenery.teams);
  for (const fan of stands) {
    move(fan, seat(fan.classList[1], Number(fan.dataset.number), pitch));
  }

  let shown = null;

  return {
    element,
    show(view, before) {
      const { board } = view;
      // Only what people have just seen can move on; after a leap through the match, all is set anew.
      element.classList.toggle("following", shown !== null && shown === before);
      shown = view;
      scoreboard.show(view);
      figures.forEach((figure) => showPlayer(figure, board, pitch));
      stands.forEach((fan) => showFan(fan, board));
      balls.forEach((each) => showBall(each, board));
      cubes.replaceChildren(...(board.cubes ?? []).map((place) => cube(place, middle(place), t)));
      trail.replaceChildren(...marks(board.last ?? []));
      showHalo(halo, board, figures, stands);
    },
    describe: (view) => description(view, scenery, t),
  };
}

/** What stands beside a player's name: the team, and how many of it are banned. */
export function playerExtras(seat, view, scenery, t) {
  const { side } = seat.own;
  const { banned, fans: stands } = view.board;
  const bans = (banned ?? []).filter((id) => entity(id).side === side).length;
  const team = el("span", { class: "quidditch-team" }, `${MARKS[side]} ${teamOf(scenery, side).name}`);
  const facts = [
    bans > 0 && t("extras.bans", { n: bans }),
    stands && t("extras.fans", { n: teamOf(scenery, side).fans.length - stands[side].banned.length }),
    seat.gone && t("extras.wait", { seconds: scenery.patience }),
  ].filter(Boolean);
  return el("span", { class: "quidditch-extras" }, team, facts.map((each) => el("span", {}, each)));
}

// Positions are styles, so that a style sheet can let figures glide where people like that.
function move(element, [x, y], scale = 1) {
  element.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

function showPlayer(figure, board, pitch) {
  const id = figure.dataset.entity;
  const place = board.players?.[id];
  figure.classList.toggle("absent", !place);
  if (!place) return;
  const { side, position } = entity(id);
  const is = (what) => (board[what] ?? []).includes(id);
  const banned = is("banned");
  figure.classList.toggle("banned", banned);
  figure.classList.toggle("knockout", is("knockout"));
  figure.classList.toggle("used", is("used"));
  figure.classList.toggle("holder", board.holder === id);
  figure.dataset.at = place.join("|");
  if (banned) move(figure, bench(side, POSITIONS.indexOf(position), pitch), 0.9);
  else move(figure, middle(place), is("used") ? 0.88 : 1);
}

function showFan(fan, board) {
  const number = Number(fan.dataset.number);
  const states = board.fans?.[fan.classList[1]];
  fan.classList.toggle("banned", states?.banned.includes(number) ?? false);
  fan.classList.toggle("used", states?.used.includes(number) ?? false);
}

function showBall(element, board) {
  const name = element.dataset.ball;
  const place = board.balls?.[name];
  element.classList.toggle("absent", !place);
  if (!place) return;
  const same = (other) => String(other) === String(place);
  const players = Object.entries(board.players).filter(([id]) => !board.banned.includes(id));
  const others = [...players, ...Object.entries(board.balls)].filter(([id]) => id !== name);
  const alone = !others.some(([, other]) => same(other));
  element.dataset.at = place.join("|");
  element.classList.toggle("held", name === "quaffle" && board.holder !== null);
  move(element, ballPlace(name, place, alone), alone ? 1.25 : 1);
}

/** Around whoever is asked; of fans that look alike, the first one that has a turn left. */
function showHalo(halo, { asked }, figures, stands) {
  const able = (each) => !each.classList.contains("banned") && !each.classList.contains("used");
  const mine = (each) => asked && each.dataset.entity === asked.entity;
  const found = figures.find(mine) ?? stands.filter(able).find(mine);
  halo.classList.toggle("absent", !found);
  if (found) halo.style.transform = found.style.transform.replace(/scale.*/, "");
}
