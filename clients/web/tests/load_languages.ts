// Every language is there for every test: the page loads one when it is chosen.

import { LANGUAGES, loadLanguage } from "../src/messages";

await Promise.all(LANGUAGES.map(loadLanguage));
