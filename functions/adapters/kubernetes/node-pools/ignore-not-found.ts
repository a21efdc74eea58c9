import { Conflict } from "../../../ports/errors.ts";
import { isStatus } from "../errors.ts";

/** Returns the result of a removal; null if its object was already deleted. */
export async function ignoreNotFound<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Conflict && isStatus(error.cause, 404)) return null;
    throw error;
  }
}
