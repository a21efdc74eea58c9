import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { WorkloadStatus } from "../../cli/workloads/status.ts";
import { nodePoolCrds } from "../../infra/local/kubernetes/crds.ts";
import { type ClusterFixture, startClusterFixture } from "../cli/cluster-fixture.ts";
import { root } from "./document.ts";
import { examples, objectsOf } from "./examples.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const namespaceOf = (file: string) => basename(file, ".yaml");
/** The in-memory cluster has no Services. */
const ofPawl = (objects: ReturnType<typeof objectsOf>) => objects.filter(({ kind }) => kind !== "Service");
const ofNodes = "examples/node-pool.yaml";

let statuses: readonly WorkloadStatus[];
let pools: readonly { readonly problems: readonly string[] }[];
let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    ...nodePoolCrds(),
    ...examples.flatMap((file) =>
      ofPawl(objectsOf(file)).map((object) => ({
        ...object,
        metadata: { ...object.metadata, ...(file === ofNodes ? {} : { namespace: namespaceOf(file) }) },
      })),
    ),
  ]);
  statuses = JSON.parse((await fixture.pawl("status", "--json")).stdout) as typeof statuses;
  pools = JSON.parse((await fixture.pawl("pools", "--json")).stdout) as typeof pools;
});
afterAll(() => fixture.close());

test("there are ten, and a page lists all of them", () => {
  expect(examples).toHaveLength(10);
  const page = readFileSync(join(root, "docs", "tutorial", "tutorial.md"), "utf8");
  expect(examples.filter((file) => !page.includes(`(../../${file})`))).toEqual([]);
});

test.for(examples)("%s enables Pawl without a problem, and names the page that explains it", (file) => {
  const [, page = ""] = /^# .*: (docs\/[\w-]+\/[\w-]+\.md)\.\n/.exec(readFileSync(join(root, file), "utf8")) ?? [];
  expect(existsSync(join(root, page))).toBe(true);
  const found = file === ofNodes ? pools : statuses.filter(({ namespace }) => namespace === namespaceOf(file));
  expect(found.map(({ problems }) => problems)).toEqual([[]]);
});
