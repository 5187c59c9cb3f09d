import type { MessageKey } from "./en";

// Texts of the page in German; what is missing is shown in English.
export const de: Readonly<Partial<Record<MessageKey, string>>> = {};
