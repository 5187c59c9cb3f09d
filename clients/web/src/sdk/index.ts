// The TypeScript SDK: what the npm package exports. `sdk/build.js` makes the package.

export { connect, memoryKeeper, Player, type ConnectOptions, type OpenOptions } from "./player";
export { Match, type Body, type Decision, type NumberedRecord, type Options } from "./match";
export { offered, playBot, type Choice, type Chooser } from "./bot";
export { DiskwarsError } from "./errors";
export type { Action, SocketLike } from "../client/client";
export type { Keeper } from "../client/keeper";
export type { AnyMatchState } from "../client/records/match.js";
export { readFile, WrongRecord, type MatchFile } from "../client/records/records.js";
export { foldRecord, plainMatch } from "../client/records/match.js";
export type * from "../protocol/types";
