import { readFileSync } from "node:fs";

/** Returns a file as text; null if it does not exist or is not readable. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
