import { readFileSync } from "node:fs";
import { join } from "node:path";
import { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { toTaskInput } from "../../../functions/contract/step-input.ts";
import type { UpdateInput } from "../../../functions/contract/workload-update.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { createInProcessCheckRecorder } from "../../../functions/workflows/poll/record/record-check.ts";
import { startEmbeddedCluster } from "../../../infra/local/kubernetes/cluster.ts";
import type { KubeObject } from "../../../infra/local/kubernetes/objects.ts";
import { type FakeOptions, fakePorts, type FakePorts } from "../../support/fake-ports.ts";

/**
 * A file of `fixtures`: what commit 027abfa, the version before typed targets, left in a cluster when it was killed in the middle of an
 * update. Its own poll and handlers wrote that, on its own embedded cluster.
 */
interface Fixture {
  readonly objects: readonly KubeObject[];
  readonly at: string;
  /** Of its repository. */
  readonly tags: readonly string[];
  /** What its tag resolves to, if it is tracked by digest. */
  readonly digest: string | null;
  /** Of its execution. */
  readonly input: Omit<UpdateInput, "target"> & { readonly image: string };
}

export interface Upgraded extends AsyncDisposable {
  readonly ports: FakePorts;
  /** Of the execution with which that of the old version would continue. */
  readonly input: UpdateInput;
  /** The workload as this version reads it. */
  read(): Promise<Workload>;
  /** Returns the Kubernetes Events as `Reason: message`, oldest first. */
  events(): Promise<readonly string[]>;
}

export interface UpgradeOptions extends Pick<FakeOptions, "measured"> {
  readonly isHealthy?: (image: string) => boolean;
}

/** Starts this version on the cluster that the version before it left. Pods become ready after 3 seconds. */
export async function upgrade(
  name: string,
  { isHealthy = () => true, measured }: UpgradeOptions = {},
): Promise<Upgraded> {
  const { at, tags, digest, input, objects } = readFixture(name);
  const fake = fakePorts({
    now: new Date(at),
    tags: { "shop/web": tags },
    ...(digest === null ? {} : { digests: () => [digest] }),
    ...(measured === undefined ? {} : { measured }),
  });
  const sleepers = new Set<{ readonly due: number; readonly wake: () => void }>();
  const { now } = fake;
  const embedded = await startEmbeddedCluster({
    now,
    sleep: (seconds) =>
      new Promise((wake) => void sleepers.add({ due: now().getTime() + seconds * 1000, wake: () => wake() })),
    stored: objects,
    health: isHealthy,
    digestOf: () => digest,
  });
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(embedded.kubeconfig);
  const settings = { name: "prod", kubeConfig, namespaces: null, releases: true, now };
  const cluster = createKubernetesCluster({
    ...settings,
    warn: (message) => {
      throw new Error(message);
    },
  });
  const base = { ...fake, cluster: { ...fake.cluster, ...cluster, all: () => [] } };
  const pass = (seconds: number) => {
    fake.pass(seconds);
    for (const sleeper of sleepers) {
      if (sleeper.due > now().getTime()) continue;
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  };
  const { workload } = input;
  return {
    ports: { ...base, checkRecorder: createInProcessCheckRecorder(base), pass },
    input: toContinued(input),
    async read() {
      const found = await cluster.read(workload);
      if (found === null) throw new Error(`${workload.name} does not exist`);
      return found;
    },
    async events() {
      const response = await fetch(`${embedded.url}/api/v1/namespaces/shop/events`);
      const { items } = (await response.json()) as { items: { reason: string; message: string }[] };
      return items.map(({ reason, message }) => `${reason}: ${message}`);
    },
    [Symbol.asyncDispose]: () => embedded.close(),
  };
}

/** Reads a fixture: in the first line what is known of the execution, in each other one an object. */
export function readFixture(name: string): Fixture {
  const text = readFileSync(join(import.meta.dirname, "fixtures", `${name}.jsonl`), "utf8");
  const [head, ...objects] = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  return { ...(head as Omit<Fixture, "objects">), objects: objects as readonly KubeObject[] };
}

/** Returns the input of an execution that continues that of a fixture, as this version reads it. */
export function toContinued(input: Fixture["input"]): UpdateInput {
  const old: object = { ...input, adopting: true };
  return toTaskInput<"ApplyUpdate">({ input: old as UpdateInput, execution: "continued" });
}
