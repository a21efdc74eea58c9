import { type ChunkKey, type WorkList, WorkListLost } from "../../../functions/ports/work-list.ts";

export interface MemoryWorkList extends WorkList {
  /** The keys of all chunks that are stored. */
  keys(): readonly string[];
}

/** Creates work lists in memory. */
export function createMemoryWorkList(): MemoryWorkList {
  const chunks = new Map<string, Uint8Array>();
  const keyOf = ({ poll, bucket, chunk }: ChunkKey) => `${poll}/${bucket}-${chunk}`;
  return {
    keys: () => [...chunks.keys()],
    put: async (key, content) => void chunks.set(keyOf(key), content),
    async get(key) {
      const content = chunks.get(keyOf(key));
      if (content === undefined) throw new WorkListLost(`${keyOf(key)} does not exist`);
      return content;
    },
    async delete(keys) {
      for (const key of keys) chunks.delete(keyOf(key));
    },
  };
}
