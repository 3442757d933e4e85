/** What a daemon does per second, from two looks at its counters; as `platform ctl top`. */

/**
 * @param {{status: object, clients: object[]} | null} before null: since the start
 * @param {{status: object, clients: object[]}} now
 * @returns {{endpoints: Map<string, object>, clients: Map<string, number>, lobbies: Map<string, number>}}
 */
export function compare(before, now) {
  const same = before !== null && before.status.pid === now.status.pid;
  const old = same && before.status.uptime_seconds < now.status.uptime_seconds ? before : null;
  const seconds = now.status.uptime_seconds - (old?.status.uptime_seconds ?? 0) || 1;
  const heard = new Map((old?.clients ?? []).map((each) => [each.id, each.heard]));
  const clients = new Map(now.clients.map((each) => [each.id, (each.heard - (heard.get(each.id) ?? 0)) / seconds]));
  const lobbies = new Map();
  for (const { id, where } of now.clients) {
    if (where) lobbies.set(where, (lobbies.get(where) ?? 0) + clients.get(id));
  }
  const endpoints = now.status.endpoints.map((each) => {
    const earlier = old?.status.endpoints.find(({ name }) => name === each.name);
    return [each.name, traffic(earlier?.traffic, each.traffic, seconds)];
  });
  return { endpoints: new Map(endpoints), clients, lobbies };
}

function traffic(before, now, seconds) {
  const rate = (name) => (now[name] - (before?.[name] ?? 0)) / seconds;
  const counts = now.handling.counts.map((count, n) => count - (before?.handling.counts[n] ?? 0));
  return {
    messagesIn: rate("messages_in"),
    messagesOut: rate("messages_out"),
    bytesIn: rate("bytes_in"),
    bytesOut: rate("bytes_out"),
    half: quantile(0.5, now.handling.bounds, counts),
    nearlyAll: quantile(0.99, now.handling.bounds, counts),
    drops: Object.values(now.drops).reduce((sum, count) => sum + count, 0),
  };
}

/** As precisely as the bounds allow; null if there is nothing. */
export function quantile(share, bounds, counts) {
  let rank = share * counts.reduce((sum, count) => sum + count, 0);
  if (rank === 0) return null;
  let lower = 0;
  for (const [index, bound] of bounds.entries()) {
    if (counts[index] >= rank) return lower + ((bound - lower) * rank) / counts[index];
    rank -= counts[index];
    lower = bound;
  }
  return lower;
}
