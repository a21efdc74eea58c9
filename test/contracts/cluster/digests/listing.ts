import { expect, test } from "vitest";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import type { BuiltInKind } from "../../cluster-fixtures.ts";
import { createAutoUpdate, patchStatus, updateOf } from "../auto-update/harness.ts";
import { createWorkload, type At } from "../harness.ts";
import { clusterWith, enabled } from "./harness.ts";

export function testDigestListing(at: At, kind: BuiltInKind): void {
  test("lists workloads that opted in by either annotation, and those being restarted", async () => {
    const no = { "image-updater.eznix86.github.io/enabled": "True" };
    await createWorkload(at(), kind, { name: "by-digest", optIn: null, annotations: enabled });
    await createWorkload(at(), kind, { name: "by-both", annotations: enabled });
    await createWorkload(at(), kind, { name: "by-digest-not-tag", optIn: false, annotations: enabled });
    const restarting = await createWorkload(at(), kind, { name: "restarting", optIn: null });
    await createAutoUpdate(at(), restarting, {});
    await patchStatus(at(), restarting, { update: updateOf(restarting, { strategy: "Restart" }) });
    await createWorkload(at(), kind, { name: "neither", optIn: null, annotations: no });
    await createWorkload(at(), kind, {
      name: "misspelt",
      optIn: null,
      annotations: { "pawl.dev/auto-updat": "true" },
    });
    expect(await namesIn(at().cluster)).toEqual([
      "by-both",
      "by-digest",
      "by-digest-not-tag",
      "misspelt",
      "restarting",
    ]);
  });

  test.for(["restart", "adopt"] as const)(
    "the initial digest policy %s is reported for each workload",
    async (initialDigestPolicy) => {
      const { cluster } = clusterWith(at(), { digests: { initialDigestPolicy, setsPullPolicy: false } });
      await createWorkload(at(), kind, { optIn: null, annotations: enabled });
      for await (const workload of cluster.list())
        expect(workload.digests?.initialDigestPolicy).toBe(initialDigestPolicy);
      expect(await namesIn(cluster)).toHaveLength(1);
    },
  );
}

async function namesIn(cluster: Cluster): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { ref } of cluster.list()) names.push(ref.name);
  return names.toSorted();
}
