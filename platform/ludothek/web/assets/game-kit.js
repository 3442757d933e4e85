/** What a game brings to the page: its board, its words, its style. */

/**
 * @param {string} game
 * @returns {Promise<{createBoard: Function, playerExtras: Function, parseMove?: Function,
 *   moveText?: Function, words: object}>}
 */
export async function loadGame(game) {
  const folder = `/games/${encodeURIComponent(game)}`;
  const [board, words] = await Promise.all([
    import(`${folder}/board.js`),
    import(`${folder}/words.js`),
    addStyle(`${folder}/board.css`),
  ]);
  return { playerExtras: () => null, ...board, words: words.default };
}

/** Waits for the style, so that no board is ever seen without it. */
function addStyle(address) {
  if (document.querySelector(`link[href="${address}"]`)) return null;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: address });
  return new Promise((resolve) => {
    link.onload = resolve;
    link.onerror = resolve;
    document.head.append(link);
  });
}
