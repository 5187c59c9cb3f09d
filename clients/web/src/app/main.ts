import "@fontsource/barlow-semi-condensed/latin-500.css";
import "@fontsource/barlow-semi-condensed/latin-600.css";
import "@fontsource/barlow-semi-condensed/latin-700.css";
import "@fontsource/barlow-condensed/latin-600.css";
import "@fontsource/alegreya/latin-800.css";
import "./more_letters.css";
import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import { guardKeys } from "../page/keys";
import { startWorker } from "../page/offline";
import { session } from "../page/session.svelte";
import { followTranslator } from "../page/translator";
import App from "./App.svelte";

guardKeys();
followTranslator(document.body);
const target = document.getElementById("app");
if (target) {
  const show = () => {
    target.replaceChildren(); // what was there said that the page is loading
    mount(App, { target });
  };
  if (session.languageLoaded) void session.languageLoaded.then(show);
  else show();
}
startWorker();
