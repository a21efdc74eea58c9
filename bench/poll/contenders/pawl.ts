import { parseImageReference } from "../../../functions/domain/image/reference.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { readSettings } from "../../../functions/runtime/read-settings.ts";
import { openRegistry } from "../../../functions/runtime/open-registry.ts";
import { fakePorts } from "../../../test/support/fake-ports.ts";
import { workload } from "../../../test/support/workloads.ts";
import { repositories, runningTag } from "../images.ts";
import { compete, type FoundTags, type Job } from "./job.ts";

// The complete poll with the registry adapter as deployed; cluster and executions are in memory.

await compete(async (job) => {
  const now = () => new Date();
  const settings = readSettings({ PAWL_INSECURE_REGISTRIES: job.host });
  const registry = await openRegistry({ settings, aws: {}, now });
  const ports = { ...fakePorts({ workloads: createWorkloads(job) }), now, registry };
  return async () => {
    const { failed } = await pollCluster(ports);
    if (failed[0] !== undefined) throw new Error(`${failed.length} workloads failed: ${failed[0].message}`);
    return () => Object.fromEntries(ports.executions.started.map(({ input }) => parseTarget(input.target.image)));
  };
});

function createWorkloads(job: Job) {
  return repositories(job).map((repository, index) => {
    const image = `${job.host}/${repository}:${runningTag}`;
    const ref = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: "bench",
      name: `app-${index}`,
      uid: `u-${index}`,
    };
    return workload({ ref, source: image, image, policy: { versionConstraint: "^1" } });
  });
}

function parseTarget(image: string): [keyof FoundTags, string] {
  const parsed = parseImageReference(image);
  if ("kind" in parsed) throw new Error(`${image}: ${parsed.reason}`);
  return [parsed.repository, parsed.tag ?? ""];
}
