// Which modules share a chunk: one for each set of screens that are opened together, instead of one for each few modules.

import path from "node:path";

/**
 * @typedef {{ readonly importedIds: ReadonlyArray<string> }} ModuleInfo
 * @typedef {{ getModuleInfo(id: string): ModuleInfo | null }} Modules
 */

const LOBBY = ["lobby/Lobby.svelte"];
const DISKWARS = ["rulesets/diskwars/DiskwarsMatch.svelte"];
const SMALL_GAMES = [
  "rulesets/pit/PitMatch.svelte",
  "rulesets/close_quarters/CloseQuartersMatch.svelte",
  "rulesets/regiments/RegimentsMatch.svelte",
];
const LEARN = ["rulesets/diskwars/lessons/LessonPage.svelte", "rulesets/diskwars/guide/HintCard.svelte"];
const ACCOUNT = ["Settings", "AccountRows", "Notices", "OwnData", "OtherPlayers", "PasswordForm"].map(
  (name) => `account/${name}.svelte`,
);
const PEOPLE = ["ChallengeButton", "ChallengeCards", "ChallengeNotice", "FriendList", "Rematch", "ReportForm"].map(
  (name) => `people/${name}.svelte`,
);
/** Made by the bundler, and needed by most chunks. */
const RUNTIME = "\0rolldown/runtime.js";

/**
 * The chunks, and what is in them: whatever is imported by one of each of these lists of modules, of which one has to hold,
 * and is in no chunk before. So what a chunk imports is in it or in one before: none waits for one after it.
 *
 * @type {ReadonlyArray<{ readonly name: string, readonly sharedBy: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> }>}
 */
const CHUNKS = [
  { name: "first", sharedBy: [[["app/main.ts"]], [LOBBY, DISKWARS], [LOBBY, LEARN]] },
  { name: "lobby", sharedBy: [[LOBBY]] },
  { name: "board", sharedBy: [[LEARN, DISKWARS, SMALL_GAMES]] },
  { name: "match", sharedBy: [[DISKWARS, SMALL_GAMES]] },
  { name: "disks", sharedBy: [[LEARN, DISKWARS]] },
  { name: "diskwars", sharedBy: [[DISKWARS]] },
  { name: "small", sharedBy: [[SMALL_GAMES]] },
  { name: "learn", sharedBy: [[LEARN]] },
  { name: "people", sharedBy: [[PEOPLE]] },
  { name: "account", sharedBy: [[ACCOUNT]] },
];

/**
 * Return the groups of the build. Modules in no chunk are split by what imports them.
 *
 * @param {string} sources the folder src
 */
export function makeGroups(sources) {
  /** @type {Map<string, ReadonlySet<string>>} */
  const found = new Map();
  const importsOf = (/** @type {string} */ entry, /** @type {Modules} */ modules) => {
    const imports = found.get(entry) ?? findImports(path.join(sources, entry), modules);
    found.set(entry, imports);
    return imports;
  };
  return CHUNKS.map(({ name, sharedBy }, place) => ({
    name: (/** @type {string} */ id, /** @type {Modules} */ modules) => {
      const isShared = sharedBy.some((lists) =>
        lists.every((list) => list.some((entry) => importsOf(entry, modules).has(id))),
      );
      return isShared || (id === RUNTIME && place === 0) ? name : null;
    },
    priority: CHUNKS.length - place,
  }));
}

/**
 * Return a module and all that it imports, but for what it loads later. Throws Error where there is no such module.
 *
 * @param {string} entry
 * @param {Modules} modules
 */
function findImports(entry, modules) {
  if (!modules.getModuleInfo(entry)) throw new Error(`the build has no module ${entry}`);
  const found = new Set([entry]);
  for (const id of found) for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}
