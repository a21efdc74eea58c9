import { isConflict } from "../../ports/errors.ts";

/** Reports whether admission denied a write: this object cannot be written, others may be. */
export function isAdmissionDenied(error: unknown): error is Error {
  return error instanceof Error && error.name === "AdmissionDenied";
}

/**
 * Describes why a node is skipped: it has changed since it was read, or its write was denied. Rethrows other errors.
 */
export function skipReason(error: unknown): string {
  if (isAdmissionDenied(error)) return `admission denies it: ${error.message}`;
  if (!isConflict(error)) throw error;
  return "has changed since it was read";
}
