import { setTimeout as delay } from "node:timers/promises";
import { openRegistry } from "../../functions/runtime/open-registry.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { pollCluster } from "../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../test/support/fake-ports.ts";
import { workload } from "../../test/support/workloads.ts";
import { expectedTag, repositoryName, runningTag } from "../poll/images.ts";
import type { Job, Result } from "./job.ts";

// The complete poll with the registry adapter as deployed; cluster and executions are in memory.

const { honest, hostile, repositoriesPerHost, extraSeconds } = JSON.parse(process.argv[2] ?? "") as Job;
const settings = readSettings({ PAWL_INSECURE_REGISTRIES: [honest, ...hostile].map(({ host }) => host).join() });
const now = () => new Date();
const registry = await openRegistry({ settings, aws: {}, now });
const expected = new Set(
  Array.from({ length: honest.images }, (_, index) => imageOf(honest.host, index, expectedTag(index, honest))),
);
const ports = fakePorts({ workloads: [...honestWorkloads(), ...hostileWorkloads()] });
const allDecided = Promise.withResolvers<void>();
const executions: typeof ports.executions = {
  ...ports.executions,
  async start(name, input) {
    if (expected.delete(input.target.image) && expected.size === 0) allDecided.resolve();
    return ports.executions.start(name, input);
  },
};

const failures: Record<string, number> = {};
const deadline = new AbortController();
const startedAt = performance.now();
const polling = pollCluster({ ...ports, executions, now, registry }, { signal: deadline.signal, warn });
await Promise.race([allDecided.promise, polling]);
const honestSeconds = (performance.now() - startedAt) / 1000;
await Promise.race([delay(extraSeconds * 1000), polling]);
deadline.abort();
process.send?.({ honestSeconds, honestDecided: honest.images - expected.size, failures } satisfies Result);
process.exit();

/** Counts failed listings by behaviour. */
function warn(_: string, details: object): void {
  const text = JSON.stringify(details);
  const behaviour = hostile.find(({ host }) => text.includes(host))?.behaviour ?? "honest";
  failures[behaviour] = (failures[behaviour] ?? 0) + 1;
}

function imageOf(host: string, index: number, tag: string): string {
  return `${host}/${repositoryName(index)}:${tag}`;
}

function honestWorkloads() {
  return Array.from({ length: honest.images }, (_, index) => createWorkload("honest", honest.host, index));
}

function hostileWorkloads() {
  return hostile.flatMap(({ host, behaviour }, number) =>
    Array.from({ length: repositoriesPerHost }, (_, index) => createWorkload(`${behaviour}-${number}`, host, index)),
  );
}

function createWorkload(namespace: string, host: string, index: number) {
  const image = imageOf(host, index, runningTag);
  const name = `app-${index}`;
  const ref = { apiVersion: "apps/v1", kind: "Deployment", namespace, name, uid: `${namespace}-${index}` };
  return workload({ ref, source: image, image, policy: { versionConstraint: "^1" } });
}
