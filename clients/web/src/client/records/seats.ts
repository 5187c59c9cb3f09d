// The letters by which seats are told apart: colours, names of tokens, verification.

const SEAT_LETTERS = ["a", "b", "c", "d"] as const;
export type SeatLetter = (typeof SEAT_LETTERS)[number];
export const letterOf = (seat: number): SeatLetter => SEAT_LETTERS[seat] ?? "a";
