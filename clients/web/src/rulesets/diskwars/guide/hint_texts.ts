// The texts of the hints of the guided match, loaded with them.

import en from "../../../messages/en/parts/hints.json";
import { makeTexts } from "../../../messages/texts";

export const hintText = makeTexts("hints", en);
