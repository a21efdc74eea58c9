import { expect, test } from "vitest";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import type { BuiltInKind } from "../../cluster-fixtures.ts";
import { make, type At } from "../bench.ts";
import { clusterWith, enabled } from "./bench.ts";

export function listedByDigest(at: At, kind: BuiltInKind): void {
  test("finds what opted in under either name, and what is being restarted", async () => {
    const restarting = { "pawl.dev/update-phase": "Restart", "pawl.dev/target-image": "app:prod@sha256:00" };
    const no = { "image-updater.eznix86.github.io/enabled": "True" };
    await make(at(), kind, { name: "by-digest", optIn: null, annotations: enabled });
    await make(at(), kind, { name: "by-both", annotations: enabled });
    await make(at(), kind, { name: "by-digest-not-tag", optIn: false, annotations: enabled });
    await make(at(), kind, { name: "restarting", optIn: null, annotations: restarting });
    await make(at(), kind, { name: "neither", optIn: null, annotations: no });
    expect(await namesIn(at().cluster)).toEqual(["by-both", "by-digest", "by-digest-not-tag", "restarting"]);
  });

  test.for(["restart", "baseline"] as const)(
    "a deployment whose first sight is a %s says so of each",
    async (firstSight) => {
      const { cluster } = clusterWith(at(), { digests: { firstSight, setsPullPolicy: false } });
      await make(at(), kind, { optIn: null, annotations: enabled });
      for await (const workload of cluster.list()) expect(workload.digests?.firstSight).toBe(firstSight);
      expect(await namesIn(cluster)).toHaveLength(1);
    },
  );
}

async function namesIn(cluster: Cluster): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { ref } of cluster.list()) names.push(ref.name);
  return names.toSorted();
}
