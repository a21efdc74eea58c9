import { Conflict } from "../../errors.ts";
import { isStatus } from "../errors.ts";

/** What a write answers; null where its object is gone, and with it what was to be taken away. */
export async function orGone<T>(write: () => Promise<T>): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof Conflict && isStatus(error.cause, 404)) return null;
    throw error;
  }
}
