// Builds the npm package of the SDK into a folder: node sdk/build.js FOLDER. What `npm pack` there packs is the package.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

import { build } from "vite";

const WEB = path.join(import.meta.dirname, "..");
const PACKAGE = path.join(WEB, "../typescript");
const LICENSE = path.join(WEB, "../../LICENSE");
/** Bundles by what runs them: only SHA-256 and random bytes differ. */
const PLATFORMS = { node: ["node"], browser: ["browser"] };

async function bundle(platform, folder) {
  await build({
    configFile: false,
    root: WEB,
    logLevel: "warn",
    publicDir: false,
    resolve: { conditions: PLATFORMS[platform] },
    build: {
      lib: { entry: path.join(WEB, "src/sdk/index.ts"), formats: ["es"], fileName: () => `${platform}.js` },
      outDir: path.join(folder, "dist"),
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      target: "es2022",
      rolldownOptions: { external: [/^node:/, "ws"], platform },
    },
  });
}

function writeTypes(folder) {
  const types = path.join(folder, "dist/types");
  const compiler = path.join(WEB, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", path.join(import.meta.dirname, "tsconfig.json"), "--outDir", types], {
    stdio: "inherit",
  });
  for (const file of fs.readdirSync(types, { recursive: true, encoding: "utf8" }))
    if (file.endsWith(".d.ts")) completeImports(path.join(types, file));
}

/** Name the files of relative imports with `.js`, as Node's own rules for modules want it. */
function completeImports(file) {
  const before = fs.readFileSync(file, "utf8");
  const after = before.replace(/(from |import\()"(\.{1,2}\/[^"]+)"/g, (whole, start, target) =>
    target.endsWith(".js") ? whole : `${start}"${target}.js"`,
  );
  fs.writeFileSync(file, after);
}

const folder = process.argv[2];
if (folder === undefined) throw new Error("name the folder of the package: node sdk/build.js FOLDER");
fs.rmSync(path.join(folder, "dist"), { recursive: true, force: true });
fs.mkdirSync(path.join(folder, "dist"), { recursive: true });
for (const file of ["package.json", "README.md"]) fs.copyFileSync(path.join(PACKAGE, file), path.join(folder, file));
fs.copyFileSync(LICENSE, path.join(folder, "LICENSE"));
for (const platform of Object.keys(PLATFORMS)) await bundle(platform, folder);
writeTypes(folder);
