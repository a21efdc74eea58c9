import { useNameServers } from "../../functions/adapters/oci-registry/http/http.ts";
import { createNameResolver } from "../../functions/adapters/oci-registry/http/resolve-names.ts";
import { openRegistry } from "../../functions/runtime/open-registry.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { pollCluster } from "../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../test/support/fake-ports.ts";
import { workload } from "../../test/support/workloads.ts";
import { expectedTag, repositoryName, runningTag } from "../poll/images.ts";
import { type AttackName, attacks, type Targets } from "./attacks.ts";

/** One poll: honest workloads of several namespaces, and an attack beside them. */
export interface Job {
  readonly honest: { readonly host: string; readonly images: number; readonly tags: number };
  readonly attack: readonly { readonly name: AttackName; readonly size: number }[];
  readonly targets: Targets;
  readonly nameServer: string;
}

export interface Result {
  readonly honestSeconds: number;
  readonly honestDecided: number;
}

// The complete poll with the registry adapter as deployed; cluster and executions are in memory.

const { honest, attack, targets, nameServer } = JSON.parse(process.argv[2] ?? "") as Job;
const settings = readSettings({ PAWL_INSECURE_REGISTRIES: [honest.host, ...targets.slowHosts].join() });
useNameServers(createNameResolver({ servers: [nameServer] }));
const now = () => new Date();
const registry = await openRegistry({ settings, aws: {}, now });
const expected = new Set(
  Array.from({ length: honest.images }, (_, index) => imageOf(index, expectedTag(index, honest))),
);
const greedy = attack.flatMap(({ name, size }) => attacks[name].workloads(size, targets));
const ports = fakePorts({ workloads: [...Array.from({ length: honest.images }, honestWorkload), ...greedy] });
const allDecided = Promise.withResolvers<void>();
const executions: typeof ports.executions = {
  ...ports.executions,
  async start(name, input) {
    if (expected.delete(input.target.image) && expected.size === 0) allDecided.resolve();
    return ports.executions.start(name, input);
  },
};
const deadline = new AbortController();
const startedAt = performance.now();
const polling = pollCluster({ ...ports, executions, now, registry }, { signal: deadline.signal });
await Promise.race([allDecided.promise, polling]);
const honestSeconds = (performance.now() - startedAt) / 1000;
deadline.abort();
process.send?.({ honestSeconds, honestDecided: honest.images - expected.size } satisfies Result);
process.exit();

function imageOf(index: number, tag: string): string {
  return `${honest.host}/${repositoryName(index)}:${tag}`;
}

function honestWorkload(_: unknown, index: number) {
  const image = imageOf(index, runningTag);
  const name = `app-${index}`;
  const ref = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    namespace: `team-${index % 10}`,
    name,
    uid: `honest-${index}`,
  };
  return workload({ ref, source: image, image, policy: { versionConstraint: "^1" } });
}
