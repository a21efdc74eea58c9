/** What was to be written about has changed since it was looked at, or is gone. */
export class Changed extends Error {
  override readonly name = "Conflict";
}
