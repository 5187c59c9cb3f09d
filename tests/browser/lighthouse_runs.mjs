// Run Lighthouse on addresses in one Chrome and print, for each, its scores and what was found wanting, as JSON:
// node lighthouse_runs.mjs PACKAGES '{"runs": [["http://…", "phone"]], "categories": ["accessibility"], "chrome": …}'

import path from "node:path";
import { pathToFileURL } from "node:url";

const [packages, text] = process.argv.slice(2);
const { runs, categories, flags, chrome } = JSON.parse(text);
const load = (file) => import(pathToFileURL(path.join(packages, "node_modules", file)).href);
const { default: lighthouse, desktopConfig } = await load("lighthouse/core/index.js");
const { launch } = await load("chrome-launcher/dist/index.js");

const isTimed = categories.includes("performance");
// What is not timed need not be slowed down, and nobody looks at the pictures.
const quick = { throttlingMethod: "provided", disableFullPageScreenshot: true };

const browser = await launch({ chromePath: chrome, chromeFlags: flags });
try {
  const found = [];
  for (const [address, device] of runs) {
    const options = { port: browser.port, onlyCategories: categories, logLevel: "error", ...(isTimed ? {} : quick) };
    const config = device === "desktop" ? desktopConfig : undefined;
    const { lhr } = await lighthouse(address, options, config);
    if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
    const kinds = Object.entries(lhr.categories);
    const wanting = kinds.flatMap(([, { auditRefs }]) =>
      auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 1).map(({ id }) => id),
    );
    const scores = Object.fromEntries(kinds.map(([name, { score }]) => [name, Math.round(100 * score)]));
    found.push({ scores, wanting });
  }
  console.log(JSON.stringify(found));
} finally {
  browser.kill();
}
