import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { openBudget } from "../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { limitPerRegistry } from "../../../functions/workflows/poll/limit-registry-requests.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { workload } from "../../support/workloads.ts";
import { RegistryAnswerInvalid, RepositoryNotFound, Unreachable } from "../../../functions/ports/errors.ts";
import type { Registry } from "../../../functions/ports/registry.ts";

const imageAt = (host: string, index: number) => ({
  registry: host,
  repository: `app-${index}`,
  tag: null,
  digest: null,
});
const never = new AbortController().signal;

/** Returns a limited registry, and how many requests to each host are in progress. */
function createLimited(listTags: (host: string, index: number) => Promise<readonly string[]>) {
  const inProgress = new Map<string, number>();
  const registry: Registry = {
    listTags({ registry: host, repository }) {
      inProgress.set(host, (inProgress.get(host) ?? 0) + 1);
      const answer = listTags(host, Number(repository.slice(4)));
      const end = () => void inProgress.set(host, (inProgress.get(host) ?? 0) - 1);
      answer.then(end, end);
      return answer;
    },
    digestOf: () => Promise.reject(new Error("not requested")),
    resolve: () => Promise.reject(new Error("not requested")),
    digestsOf: () => Promise.reject(new Error("not requested")),
  };
  return { inProgress, limited: limitPerRegistry(registry, openBudget(), never) };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

test.for([1, 2])(
  "64 hosts that stall from their request %i on, of 16 each, delay no other host",
  async (stallsFrom) => {
    const { limited } = createLimited((host, index) =>
      host.startsWith("honest") || index + 1 < stallsFrom ? Promise.resolve(["1.0.0"]) : new Promise(() => {}),
    );
    for (let host = 0; host < 64; host += 1)
      for (let index = 0; index < 16; index += 1)
        void limited.listTags(imageAt(`stalled-${host}`, index)).catch(() => undefined);
    await settle();
    const honest = Array.from({ length: 200 }, (_, index) => limited.listTags(imageAt(`honest-${index % 40}`, index)));
    expect(await Promise.all(honest)).toHaveLength(200);
  },
);

test.for([
  { what: "1,000 registries, of which it asks 128 at a time", count: 1000, hosts: 1000, asked: 128 },
  { what: "5,000 workloads of one registry, which is asked once", count: 5000, hosts: 1, asked: 1 },
])("a namespace with $what, delays no other one if they stall", async ({ count, hosts, asked }) => {
  const greedy = Array.from({ length: count }, (_, index) =>
    workloadOf("greedy", `lost-${index % hosts}.test/${index}`),
  );
  const ports = fakePorts({ workloads: [...greedy, workloadOf("shop", "honest.test/app")] });
  let stalled = 0;
  const deadline = new AbortController();
  const listTags: Registry["listTags"] = async ({ registry: host }) => {
    if (host === "honest.test") return ["1.0.0", "1.1.0"];
    stalled += 1;
    return new Promise(() => {});
  };
  const polling = pollCluster({ ...ports, registry: { ...ports.registry, listTags } }, { signal: deadline.signal });
  await vi.waitFor(() => expect(ports.executions.started).toHaveLength(1), { timeout: 10_000 });
  expect(stalled).toBe(asked);
  deadline.abort();
  expect(await polling).toMatchObject({ evaluated: 1, started: 1, unreached: count });
});

function workloadOf(namespace: string, repository: string) {
  const image = `${repository}:1.0.0`;
  const ref = { ...workload().ref, namespace, name: repository, uid: `uid of ${namespace} ${repository}` };
  return workload({ ref, image, source: image });
}

test.for([
  { when: "that has not answered", errors: [], inProgress: 1 },
  { when: "that answered", errors: [null], inProgress: 16 },
  { when: "without a repository", errors: [new RepositoryNotFound("none")], inProgress: 16 },
  { when: "whose last answer did not arrive", errors: [null, new Unreachable("late")], inProgress: 1 },
  { when: "whose last answer was invalid", errors: [null, new RegistryAnswerInvalid("no list")], inProgress: 1 },
  { when: "that answered again", errors: [new Unreachable("late"), null], inProgress: 16 },
])("a host $when gets $inProgress requests at a time", async ({ errors, inProgress: expected }) => {
  const { limited, inProgress } = createLimited((_, index) => {
    if (index >= errors.length) return new Promise(() => {});
    const error = errors[index];
    return error ? Promise.reject(error) : Promise.resolve(["1.0.0"]);
  });
  for (const [index] of errors.entries()) await limited.listTags(imageAt("h", index)).catch(() => undefined);
  for (let index = errors.length; index < 50; index += 1)
    void limited.listTags(imageAt("h", index)).catch(() => undefined);
  await settle();
  expect(inProgress.get("h")).toBe(expected);
});

test("scans take the places of their registry too, and are missing if it has none", async () => {
  const { limited } = createLimited(async () => []);
  expect(limited.scanOf).toBeUndefined();
  let running = 0;
  let most = 0;
  const scanOf: Registry["scanOf"] = async () => {
    most = Math.max(most, (running += 1));
    await settle();
    running -= 1;
    return { kind: "complete", findings: [] };
  };
  const { registry } = fakePorts({});
  const scanned = limitPerRegistry({ ...registry, scanOf }, openBudget(), never);
  const ask = async (index: number) => scanned.scanOf?.(imageAt("one", index), [], "shop");
  await Promise.all(Array.from({ length: 64 }, (_, index) => ask(index)));
  await scanned.scanOf?.(imageAt("one", 64));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
});
