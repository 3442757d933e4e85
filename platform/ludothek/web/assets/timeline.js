/** The positions of a match, in order, wherever they come from and whenever. */

export class Timeline {
  /** @type {Array<{n: number, date: number, told: object[], view: object}>} */
  positions = [];
  /** Whether something between the positions may be missing. */
  gap = false;

  get length() {
    return this.positions.length;
  }

  get newest() {
    return this.positions.at(-1) ?? null;
  }

  /**
   * Adds positions in any order; those that are known stay as they are.
   * @returns {"same" | "end" | "between"} where new ones have come
   */
  add(positions) {
    const known = new Set(this.positions.map((each) => each.n));
    const added = unique(positions).filter((each) => !known.has(each.n) && !this.#repeats(each));
    if (added.length === 0) return "same";
    const atEnd = this.newest === null || added[0].n > this.newest.n;
    this.positions = atEnd ? [...this.positions, ...added] : inOrder([...this.positions, ...added]);
    return atEnd ? "end" : "between";
  }

  /** Adds a position that has just happened. */
  follow(position) {
    const before = this.newest;
    if (before !== null && position.n <= before.n) return this.add([position]);
    if (this.#repeats(position)) return "same";
    if (skips(before, position)) this.gap = true;
    this.positions.push(position);
    return "end";
  }

  /** Adds everything up to some position; then nothing is missing before it. */
  complete(history) {
    const reaches = history.at(-1)?.n ?? -1;
    const explained = this.#explain(history);
    const where = this.add(history);
    this.gap = this.#skipsAfter(reaches);
    return explained ? "between" : where;
  }

  // Whoever comes back is shown where the match is, also if nothing has happened meanwhile.
  #repeats(position) {
    const { newest } = this;
    if (newest === null || position.told.length > 0 || position.n <= newest.n) return false;
    return looks(position) === looks(newest);
  }

  // Whoever comes to a match sees a position without knowing what has led to it, and at which note.
  #explain(history) {
    const known = this.positions;
    this.positions = unique(
      known.map((position) => {
        if (position.told.length > 0) return position;
        const before = history.findLast((each) => each.n <= position.n);
        return before && looks(before) === looks(position) ? before : position;
      }),
    );
    return known.some((each, index) => each !== this.positions[index]);
  }

  /** Takes other positions instead of all, such as those of a record, which hide nothing. */
  replace(positions) {
    this.positions = unique(positions);
    this.gap = false;
  }

  /** The index of the position with this number, or of the last one before it; -1: none. */
  find(n) {
    let low = 0;
    let high = this.positions.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.positions[middle].n <= n) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #skipsAfter(n) {
    const rest = this.positions.slice(Math.max(0, this.find(n)));
    return rest.some((each, index) => index > 0 && skips(rest[index - 1], each));
  }
}

// Numbers of positions have holes by nature. Numbers of moves have not.
function skips(before, after) {
  return before !== null && after.view.move > before.view.move + 1;
}

// Everything but clocks, which go on while nothing happens.
function looks({ view }) {
  return JSON.stringify(view, (key, value) => (key === "clock" ? undefined : value));
}

function inOrder(positions) {
  return positions.sort((one, other) => one.n - other.n);
}

function unique(positions) {
  return inOrder([...new Map(positions.map((each) => [each.n, each])).values()]);
}
