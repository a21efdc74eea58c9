/** Whether what was to be written has changed since it was read: what is there by now is to be read, and decided about anew. */
export function isConflict(error: unknown): error is Error {
  return error instanceof Error && error.name === "Conflict";
}
