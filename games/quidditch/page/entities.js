/** Everybody on the board: sides, roles and names from the entityIDs of the protocol. */

export const SIDES = ["left", "right"];
export const POSITIONS = ["seeker", "keeper", "chaser1", "chaser2", "chaser3", "beater1", "beater2"];
export const BALLS = ["quaffle", "bludger1", "bludger2", "snitch"];

/** In texts, teams are told by the shapes of their figures: both may have the same name. */
export const MARKS = { left: "●", right: "■" };

const BROOMS = {
  tinderblast: "Tinderblast",
  cleansweep11: "Cleansweep 11",
  comet260: "Comet 260",
  nimbus2001: "Nimbus 2001",
  firebolt: "Firebolt",
};

/** "leftChaser1" is {side: "left", position: "chaser1", role: "chaser", number: "1"}. */
export function entity(id) {
  const side = SIDES.find((each) => id.startsWith(each));
  const position = id.slice(side.length).toLowerCase();
  return { id, side, position, role: position.replace(/\d/, ""), number: position.replace(/\D/g, "") };
}

/** @param {string} side @param {string} position */
export function idOf(side, position) {
  return side + position[0].toUpperCase() + position.slice(1);
}

/** @param {object} scenery @param {string} side */
export function teamOf(scenery, side) {
  return scenery.teams[SIDES.indexOf(side)];
}

/** A letter and a number, as on the figure. */
export function sign({ role, number }, t) {
  return t(`sign.${role}`) + number;
}

/** "Cleo Marsh (C1)", or "An elf of the Herons". @param {string} id */
export function who(id, scenery, t) {
  const { side, position, role, number } = entity(id);
  const team = teamOf(scenery, side);
  const player = team.players[position];
  const mark = MARKS[side];
  if (!player) return t(`fan.${role}`, { mark, team: team.name });
  return t(`role.${role}`, { mark, name: player.name, number });
}

/** What is said about a player when somebody points at it. */
export function aboutPlayer(id, scenery, t) {
  const { side, position, role, number } = entity(id);
  const team = teamOf(scenery, side);
  const { name, broom } = team.players[position];
  const words = t("board.player", {
    name,
    role: t(`name.${role}`),
    number,
    team: team.name,
    broom: BROOMS[broom] ?? broom,
  });
  return words.replace(" ,", ",");
}
