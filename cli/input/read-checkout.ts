import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isUtf8 } from "node:buffer";
import { isAllowedFile, mayNameImage } from "../../functions/domain/git/select-files.ts";
import { InvalidInput } from "../exit-codes.ts";

/** Reads the files of a clone that may name images, by their paths in the repository. Throws `InvalidInput`. */
export function readCheckout(folder: string, paths: readonly string[]): ReadonlyMap<string, string> {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const found = entries.flatMap((entry) => {
      const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/");
      if (!entry.isFile() || !isAllowedFile(path, paths)) return [];
      const bytes = readFileSync(join(folder, path));
      return isUtf8(bytes) && mayNameImage(path, bytes.toString()) ? [[path, bytes.toString()] as const] : [];
    });
    return new Map(found.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  } catch (error) {
    throw new InvalidInput(`--checkout ${folder}: ${(error as Error).message}; name the folder of a clone`);
  }
}
