import { isConflict } from "../functions/conflict.ts";
import { NotFound } from "./exit.ts";

const attempts = 5;

/**
 * Writes to what was found; where somebody else was faster, reads it again and writes to that. Throws `NotFound` where it has gone
 * meanwhile, `Conflict` where somebody was faster every time, and what `write` and `read` throw. `name` is how it is called.
 */
export async function againOnConflict<Found, Written>(
  name: string,
  found: Found,
  write: (found: Found) => Promise<Written>,
  read: () => Promise<Found | null>,
): Promise<Written> {
  let current: Found | null = found;
  for (let attempt = 1; current !== null; attempt += 1) {
    try {
      return await write(current);
    } catch (error) {
      if (attempt === attempts || !isConflict(error)) throw error;
      current = await read();
    }
  }
  throw new NotFound(`${name} has been deleted`);
}
