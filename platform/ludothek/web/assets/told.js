/** Answers that came with the page, so that nobody has to ask for them. */

const element = document.getElementById("told");
const { date = null, answers = {} } = element ? JSON.parse(element.textContent) : {};
const told = new Map(Object.entries(answers));

/** When the server has written them, in seconds; null: there are none. */
export const toldAt = date;

/** An answer, once: whoever asks again wants to know what is new. @param {string} path */
export function takeTold(path) {
  const answer = told.get(path);
  told.delete(path);
  return answer;
}
