import fs from "node:fs";
import path from "node:path";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { catalogues } from "./catalogues.js";

/** What is read and what is a title: with these there from the beginning, nothing moves when they arrive. */
const FIRST_FONTS = ["barlow-semi-condensed-latin-500", "barlow-semi-condensed-latin-600", "alegreya-latin-800"];

/** Let the browser load the first fonts beside the script, instead of after the styles. */
function preloadFonts(): Plugin {
  return {
    name: "preload-fonts",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => file.endsWith(".woff2") && FIRST_FONTS.some((name) => file.includes(name)))
          .map((file) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `/${file}` },
            injectTo: "head",
          })),
    },
  };
}

/**
 * Write the names of all files into the service worker. To find them in the scripts depends on how these are minified:
 * it missed a quarter when imports came to be written with backticks.
 */
function nameFiles(): Plugin {
  const worker = path.join(import.meta.dirname, "public", "worker.js");
  return {
    name: "name-files",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const files = Object.keys(bundle).filter((name) => /\.(?:js|css|woff2)$/.test(name));
        const list = JSON.stringify(files.sort().map((name) => `/${name}`));
        const source = fs.readFileSync(worker, "utf8").replace("const FILES = [];", `const FILES = ${list};`);
        this.emitFile({ type: "asset", fileName: "worker.js", source });
      },
    },
  };
}

// The built page lies in the Python package of the command, which serves it and whose wheel contains it.
export default defineConfig(({ mode }) => ({
  plugins: mode === "test" ? [catalogues()] : [catalogues(), svelte(), preloadFonts(), nameFiles()],
  build: {
    outDir: "../python/diskwars_cli/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
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
