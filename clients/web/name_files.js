// What the build writes into other files: the list of all files, and fonts of which the document names a few.

import crypto from "node:crypto";

/**
 * Replace a mark that a text has exactly once. Throws Error where it has none, or several: a build that goes on without
 * what it should have written would only be found out by somebody who is offline.
 *
 * @param {string} text
 * @param {string} mark
 * @param {string} written
 */
function replaceOnce(text, mark, written) {
  const parts = text.split(mark);
  if (parts.length !== 2) throw new Error(`${JSON.stringify(mark)} is there ${parts.length - 1} times instead of once`);
  return parts.join(written);
}

/**
 * Return the service worker of a build with these files, and with a name that another build does not have. To find the
 * files in the scripts depends on how these are minified: it missed a quarter when imports came to be written with backticks.
 *
 * @param {string} worker
 * @param {ReadonlyArray<string>} files
 */
export function nameFiles(worker, files) {
  const paths = files.filter((name) => /\.(?:js|css|woff2)$/.test(name)).map((name) => `/${name}`);
  if (paths.length === 0) throw new Error("the build has no files");
  const list = JSON.stringify(paths.sort());
  const name = crypto.createHash("sha256").update(list).digest("hex").slice(0, 12);
  return replaceOnce(
    replaceOnce(worker, "const FILES = [];", `const FILES = ${list};`),
    'const BUILD = "";',
    `const BUILD = "${name}";`,
  );
}

/**
 * Return the file of each of these fonts. Throws Error where one has none.
 *
 * @param {ReadonlyArray<string>} files
 * @param {ReadonlyArray<string>} fonts
 */
export function findFonts(files, fonts) {
  return fonts.map((font) => {
    const file = files.find((name) => name.endsWith(".woff2") && name.includes(font));
    if (file === undefined) throw new Error(`the build has no font ${font}`);
    return file;
  });
}
