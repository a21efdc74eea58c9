import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createDirectoryWorkList } from "../../functions/adapters/directory-work-list.ts";
import { workListContract } from "../contracts/work-list.ts";
import { createMemoryWorkList } from "../support/fakes/memory-work-list.ts";

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "work-list-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("in a directory", () => {
  workListContract(() => createDirectoryWorkList(join(createFolder(), "work")));

  test("only its owner may read it, and nothing is left of a poll", async () => {
    const folder = createFolder();
    const workList = createDirectoryWorkList(join(folder, "work"));
    const key = { poll: "p-1", bucket: 0, chunk: 0 };
    await workList.put(key, Uint8Array.of(1));
    expect(statSync(join(folder, "work", "p-1")).mode & 0o077).toBe(0);
    await workList.delete([key]);
    expect(readdirSync(join(folder, "work"))).toEqual([]);
  });
});

describe("in memory", () => {
  workListContract(createMemoryWorkList);
});
