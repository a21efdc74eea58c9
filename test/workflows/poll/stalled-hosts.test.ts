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

test("a namespace asks 128 registries at a time, and those that stall delay no other namespace", async () => {
  const greedy = Array.from({ length: 1000 }, (_, index) => workloadOf("greedy", `lost-${index}.test/app`));
  const ports = fakePorts({ workloads: [...greedy, workloadOf("shop", "honest.test/app")] });
  const stalled = new Set<string>();
  const deadline = new AbortController();
  const listTags: Registry["listTags"] = async ({ registry: host }) => {
    if (host === "honest.test") return ["1.0.0", "1.1.0"];
    stalled.add(host);
    return new Promise(() => {});
  };
  const polling = pollCluster({ ...ports, registry: { ...ports.registry, listTags } }, { signal: deadline.signal });
  await vi.waitFor(() => expect(ports.executions.started).toHaveLength(1));
  expect(stalled.size).toBe(128);
  deadline.abort();
  expect(await polling).toMatchObject({ evaluated: 1, started: 1, unreached: 1000 });
});

function workloadOf(namespace: string, repository: string) {
  const image = `${repository}:1.0.0`;
  const ref = { ...workload().ref, namespace, uid: `uid of ${namespace} ${repository}` };
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
