import "@fontsource/barlow-semi-condensed/latin-500.css";
import "@fontsource/barlow-semi-condensed/latin-600.css";
import "@fontsource/barlow-semi-condensed/latin-700.css";
import "@fontsource/barlow-condensed/latin-600.css";
import "@fontsource/alegreya/latin-800.css";
import "./ui/tokens.css";
import "./ui/app.css";

import { mount } from "svelte";

import { guardKeys } from "./keys";
import { startWorker } from "./offline";
import App from "./ui/App.svelte";

guardKeys();
const target = document.getElementById("app");
if (target) mount(App, { target });
startWorker();

/** After this long, another failure of the kind may have another cause. */
const RELOAD_AGAIN_MS = 60_000;
const RELOADED_KEY = "diskwars.reloaded";
// A part of the page that a new version of the server no longer has: the new page knows its own parts.
addEventListener("vite:preloadError", (event) => {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY) ?? 0) < RELOAD_AGAIN_MS || !navigator.onLine) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  } catch {
    return; // Without storage it might reload for ever: the page says that it failed.
  }
  event.preventDefault();
  location.reload();
});
