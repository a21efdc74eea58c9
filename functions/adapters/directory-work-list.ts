import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ChunkKey, type WorkList, WorkListLost } from "../ports/work-list.ts";

/** Creates access to the work lists in a directory of this machine, which only its owner may read. */
export function createDirectoryWorkList(directory: string): WorkList {
  const folderOf = ({ poll }: ChunkKey) => join(directory, poll);
  const fileOf = (key: ChunkKey) => join(folderOf(key), `${key.bucket}-${key.chunk}.jsonl.gz`);
  return {
    async put(key, content) {
      await mkdir(folderOf(key), { recursive: true, mode: 0o700 });
      await writeFile(fileOf(key), content, { mode: 0o600 });
    },
    async get(key) {
      try {
        return await readFile(fileOf(key));
      } catch (error) {
        throw new WorkListLost(`${fileOf(key)} is missing`, { cause: error });
      }
    },
    async delete(keys) {
      for (const key of keys) await rm(fileOf(key), { force: true });
      for (const folder of new Set(keys.map(folderOf))) await rm(folder, { recursive: true, force: true });
    },
  };
}
