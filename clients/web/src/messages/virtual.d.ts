// The languages, derived by `catalogues.js` from the folders beside this file.

declare module "virtual:languages" {
  /** The tags of all languages, English first. */
  export const LANGUAGES: ReadonlyArray<string>;
  /** Load the texts of every language but English. */
  export const LOADERS: Readonly<Record<string, () => Promise<{ readonly default: unknown }>>>;
}
