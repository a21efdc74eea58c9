import { expect, test } from "vitest";
import type { WorkList } from "../../functions/ports/work-list.ts";

/** The contract of every implementation. `prepare` returns an empty one. */
export function workListContract(prepare: () => WorkList | Promise<WorkList>): void {
  const key = { poll: "p-1", bucket: 3, chunk: 0 };
  const others = [
    { ...key, poll: "p-2" },
    { ...key, bucket: 31 },
    { ...key, chunk: 1 },
  ];

  test("returns the bytes of each chunk", async () => {
    const workList = await prepare();
    const content = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    await workList.put(key, content);
    for (const [index, other] of others.entries()) await workList.put(other, Uint8Array.of(index));
    expect(Buffer.from(await workList.get(key)).equals(content)).toBe(true);
    for (const [index, other] of others.entries()) expect([...(await workList.get(other))]).toEqual([index]);
  });

  test("replaces a chunk that is stored again", async () => {
    const workList = await prepare();
    await workList.put(key, Uint8Array.of(1, 2));
    await workList.put(key, Uint8Array.of(3));
    expect([...(await workList.get(key))]).toEqual([3]);
  });

  test("throws WorkListLost for a chunk that does not exist", async () => {
    await expect((await prepare()).get(key)).rejects.toMatchObject({ name: "WorkListLost" });
  });

  test("deletes chunks, also those that do not exist, and keeps those of other polls", async () => {
    const workList = await prepare();
    const [ofOtherPoll = key] = others;
    await workList.put(ofOtherPoll, Uint8Array.of(9));
    const chunks = Array.from({ length: 3 }, (_, chunk) => ({ ...key, chunk }));
    for (const chunk of chunks) await workList.put(chunk, Uint8Array.of(chunk.chunk));
    await workList.delete([...chunks, { ...key, bucket: 30 }]);
    for (const chunk of chunks) await expect(workList.get(chunk)).rejects.toMatchObject({ name: "WorkListLost" });
    expect([...(await workList.get(ofOtherPoll))]).toEqual([9]);
    await workList.delete([]);
  });
}
