// What the page knows of clubs beside what a screen shows: that the one in view has changed, and whose tournament is opened.

class Clubs {
  /** Counts changes; what shows a club asks for it again with each. */
  changes = $state(0);
  /** The club for which a tournament is about to be opened. */
  opening = "";
}

export const clubs = new Clubs();
