// What another page shows a moment of a match with: see docs/embedding.md.

const WIDTH = 640;
const HEIGHT = 420;
const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const escape = (text: string): string => text.replace(/[&"<>]/g, (letter) => ESCAPES[letter] ?? letter);

/** Return the frame of a record of a match as HTML; `title` is what readers who cannot see it are told. */
export const embedFrame = (site: string, match: string, seq: number, title: string): string =>
  `<iframe src="${escape(`${site}/embed/${match}/${seq}`)}" width="${WIDTH}" height="${HEIGHT}" ` +
  `title="${escape(title)}" style="border:0" loading="lazy"></iframe>`;
