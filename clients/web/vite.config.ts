import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The built page lies in the Python package of the command, which serves it and whose wheel contains it.
export default defineConfig(({ mode }) => ({
  plugins: mode === "test" ? [] : [svelte()],
  build: {
    outDir: "../python/diskwars_cli/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/ws": { target: "ws://127.0.0.1:8765", ws: true } } },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
}));
