/** The properties of a construct have problems; the message lists all of them. */
export class InvalidProps extends Error {
  override readonly name = "InvalidProps";
}
