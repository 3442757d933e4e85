/** Lets a person choose a move on a board: first what moves, then where to. */

const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * @typedef {{from: string | null, to: string}} Route keys of places; without `from`, something new
 *   comes to the board, and only its place is chosen
 */

/**
 * @param {SVGElement} board gets the class `picking` while there is something to choose
 * @param {Map<string, SVGElement>} places what can be chosen, by key; a place has the class `origin`
 *   while it can be moved from, `chosen` if it is, and `target` while it can be moved to
 * @param {{label: (key: string, role: "origin" | "chosen" | "target", chosen: string | null) => string,
 *   preview?: (route: Route | null) => void}} talk what a screen reader says about a place; and what
 *   to do while a target is pointed at
 * @returns {{offer: (routes: Route[] | null, choose?: (index: number) => void) => void}}
 */
export function createPicker(board, places, { label, preview = () => {} }) {
  let routes = [];
  let choose = () => {};
  let chosen = null;

  const roleOf = (key) => {
    if (routes.some((route) => route.from === chosen && route.to === key)) return "target";
    if (key === chosen) return "chosen";
    return routes.some((route) => route.from === key) ? "origin" : null;
  };

  function draw() {
    board.classList.toggle("picking", routes.length > 0);
    // The children of an image are not read out; those of a group are.
    board.setAttribute("role", routes.length > 0 ? "group" : "img");
    for (const [key, place] of places) mark(place, roleOf(key), key);
    preview(null);
  }

  function mark(place, role, key) {
    for (const each of ["origin", "chosen", "target"]) place.classList.toggle(each, each === role);
    if (role === null) {
      for (const name of ["tabindex", "role", "aria-label", "aria-pressed"]) place.removeAttribute(name);
      return;
    }
    place.setAttribute("tabindex", "0");
    place.setAttribute("role", "button");
    place.setAttribute("aria-label", label(key, role, chosen));
    if (role === "target") place.removeAttribute("aria-pressed");
    else place.setAttribute("aria-pressed", String(role === "chosen"));
  }

  function offer(offered, then = () => {}) {
    routes = offered ?? [];
    choose = then;
    chosen = null;
    document.removeEventListener("click", clickOutside);
    if (routes.length > 0) document.addEventListener("click", clickOutside);
    draw();
  }

  function pick(key) {
    if (key !== null && roleOf(key) === "target") {
      const index = routes.findIndex((route) => route.from === chosen && route.to === key);
      const then = choose;
      offer(null);
      then(index);
      return;
    }
    chosen = key !== null && roleOf(key) === "origin" ? key : null;
    draw();
  }

  function clickOutside(event) {
    if (!board.isConnected) offer(null); // the page shows something else
    else if (chosen !== null && !board.contains(event.target)) pick(null);
  }

  function keyOf(node) {
    for (const [key, place] of places) if (place.contains(node)) return key;
    return null;
  }

  function pointAt(event) {
    const key = routes.length > 0 ? keyOf(event.target) : null;
    preview(key !== null && roleOf(key) === "target" ? { from: chosen, to: key } : null);
  }

  function press(event) {
    if (routes.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = keyOf(event.target);
    if (event.key === "Escape" && chosen !== null) {
      const origin = places.get(chosen);
      pick(null);
      origin.focus();
    } else if ((event.key === "Enter" || event.key === " ") && key !== null) {
      pick(key);
    } else if (event.key in ARROWS && key !== null) {
      neighbour(places.get(key), ARROWS[event.key])?.focus();
    } else {
      return;
    }
    // Neither does the page scroll, nor does it go to another position.
    event.preventDefault();
    event.stopPropagation();
  }

  /** The place that is next in that direction: a target once there is something to move. */
  function neighbour(start, [dx, dy]) {
    const role = chosen === null && !routes.some((route) => route.from === null) ? "origin" : "target";
    const [x, y] = centre(start);
    let nearest = null;
    let least = Infinity;
    for (const [key, place] of places) {
      if (place === start || roleOf(key) !== role) continue;
      const [right, down] = [centre(place)[0] - x, centre(place)[1] - y];
      const ahead = right * dx + down * dy;
      const aside = Math.abs(right * dy) + Math.abs(down * dx);
      const cost = ahead + 2 * aside;
      if (ahead > 0.5 && aside <= 2 * ahead && cost < least) [nearest, least] = [place, cost];
    }
    return nearest;
  }

  board.addEventListener("click", (event) => {
    if (routes.length > 0) pick(keyOf(event.target));
  });
  board.addEventListener("keydown", press);
  board.addEventListener("pointerover", pointAt);
  board.addEventListener("pointerleave", pointAt);
  board.addEventListener("focusin", pointAt);

  return { offer };
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
