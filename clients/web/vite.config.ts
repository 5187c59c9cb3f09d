import fs from "node:fs";
import path from "node:path";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { catalogues } from "./catalogues.js";
import { makeGroups } from "./chunks.js";
import { findFonts, nameFiles } from "./name_files.js";

/** What is read and what is a title: with these there from the beginning, nothing moves when they arrive. */
const FIRST_FONTS = ["barlow-semi-condensed-latin-500", "barlow-semi-condensed-latin-600", "alegreya-latin-800"];

/** The embed is a page of its own, which other sites show and no device keeps. */
const isOfEmbed = (name: string) => /\bembed-[^/]*$/.test(name);

/** Let the browser load the first fonts beside the script, instead of after the styles. */
function preloadFonts(): Plugin {
  return {
    name: "preload-fonts",
    transformIndexHtml: {
      order: "post",
      // There is no bundle while the page is developed.
      handler: (_, { bundle }) =>
        findFonts(Object.keys(bundle ?? {}), bundle ? FIRST_FONTS : []).map((file) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${file}` },
          injectTo: "head",
        })),
    },
  };
}

/** Stop where the puzzles are not beside the page: a pattern that finds no file is empty, and says nothing. */
function requirePuzzles(): Plugin {
  const folder = path.join(import.meta.dirname, "../../server/diskwars_content/puzzles/files");
  return {
    name: "require-puzzles",
    apply: "build",
    buildStart() {
      if (!fs.existsSync(folder) || !fs.readdirSync(folder).some((name) => name.endsWith(".json")))
        this.error(`there are no puzzles in ${folder}`);
    },
  };
}

/** Write the names of all files into the service worker. */
function writeWorker(): Plugin {
  const worker = path.join(import.meta.dirname, "public", "worker.js");
  return {
    name: "write-worker",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = Object.keys(bundle).filter((name) => !isOfEmbed(name));
        const source = nameFiles(fs.readFileSync(worker, "utf8"), files);
        this.emitFile({ type: "asset", fileName: "worker.js", source });
      },
    },
  };
}

// The built page lies in the Python package of the command, which serves it and whose wheel contains it.
export default defineConfig(({ mode }) => ({
  plugins: mode === "test" ? [catalogues()] : [catalogues(), svelte(), requirePuzzles(), preloadFonts(), writeWorker()],
  build: {
    outDir: "../python/diskwars_cli/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: "index.html", embed: "embed.html" },
      output: { codeSplitting: { groups: makeGroups(path.join(import.meta.dirname, "src")) } },
    },
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8765", ws: true } } },
  // Files share a process, as those of pytest do: one process for each file took twice the processor time.
  test: {
    include: ["tests/**/*.test.ts"],
    environment: "node",
    testTimeout: 60_000,
    isolate: false,
    setupFiles: ["tests/load_languages.ts"],
  },
}));
