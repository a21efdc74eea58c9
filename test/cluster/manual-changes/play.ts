import { eventually } from "../../support/control-plane/eventually.ts";
import { openObjects, type Kind, type Workload } from "../../support/kubectl/objects.ts";
import type { Suite } from "../suite.ts";
import { type Choice, createManifest, readChoice } from "./manifest.ts";
import { awaitRevision, type Person } from "./person.ts";
import { openStage, type Recorded, type Stage } from "./stage.ts";

/** "rest": 1.1.0 is the newest. "twice": 1.2.0 is. The others have something new that is in flight while the person acts. */
type Repository = "rest" | "twice" | (typeof moving)[number];

const moving = ["moving", "failing", "digest"] as const;

/** One workload, and what a person does to it. */
export interface Scene {
  readonly kind: Kind;
  readonly name: string;
  readonly repository: Repository;
  readonly annotations: Readonly<Record<string, string>>;
  /** The policy of an AutoUpdate that its owner writes; absent if it opts in by annotations. */
  readonly policy?: object;
  /** Done one poll before `act`. */
  before?(person: Person): Promise<void>;
  act(person: Person): Promise<void>;
}

/** What became of a scene. */
export interface Ending {
  /** Right after `act`, and after each of three further polls. */
  readonly choices: readonly Choice[];
  readonly workload: Workload;
  readonly record: Recorded | null;
  /** The Deployments beside it. */
  readonly canaries: readonly string[];
  /** The errors of polls about it. */
  readonly failed: readonly string[];
  /** `first`, `second` and `third` by digest. */
  readonly digests: ReadonlyMap<string, string>;
}

/** Plays all scenes on one stage, at the same time: each poll is a poll for all of them. */
export async function play(suite: Suite, scenes: readonly Scene[]): Promise<ReadonlyMap<string, Ending>> {
  const stage = await openStage(suite);
  const people = scenes.map((scene) => ({ scene, person: createPerson(stage, scene, suite.registry.host) }));
  const digests = await pushFirst(suite);
  await Promise.all(
    people.map(async ({ scene: { kind, name, policy }, person }) => {
      if (policy !== undefined) await stage.createRecord(kind, name, policy);
      await person.kubectl.create(person.manifest);
      // A poll on a busy machine can be faster than the controller, and there would be no revision to go back to.
      await awaitRevision(person.kubectl, kind, name);
    }),
  );
  const failed = [...(await stage.poll())];
  await suite.registry.pushImage("shop/twice", ["1.2.0"]);
  failed.push(...(await stage.poll()));

  await Promise.all(people.map(async ({ scene, person }) => scene.before?.(person)));
  await suite.registry.pushImage("shop/moving", ["1.2.0"]);
  await suite.registry.pushImage("shop/failing", ["1.2.0-bad"]);
  digests.set(await suite.registry.push("shop/digest", "prod"), "second");
  digests.set(await suite.registry.push("shop/digest", "stable"), "third");
  await stage.pollAndFreeze(scenes.filter(({ repository }) => moving.some((one) => one === repository)).length);
  await Promise.all(people.map(({ scene, person }) => scene.act(person)));
  const snapshots = [await readAll(stage, scenes)];
  await stage.resume();
  for (const _ of [1, 2, 3]) {
    failed.push(...(await stage.poll()));
    snapshots.push(await readAll(stage, scenes));
  }
  const endings = scenes.map(async (scene): Promise<[string, Ending]> => {
    const seen = snapshots.map((snapshot) => snapshot.get(scene.name) as Workload);
    return [scene.name, await readEnding(stage, scene, seen, failed, digests)];
  });
  return new Map(await Promise.all(endings));
}

async function pushFirst({ registry }: Suite): Promise<Map<string, string>> {
  for (const repository of ["rest", "twice", "moving", "failing"]) {
    await registry.pushImage(`shop/${repository}`, ["1.0.0", "1.0.5", "1.1.0"]);
  }
  return new Map([[await registry.push("shop/digest", "prod"), "first"]]);
}

function createPerson(
  { kubectl, deleteRecord, record }: Stage,
  { kind, name, repository, annotations }: Scene,
  host: string,
): Person {
  const image = (tag: string) => `${host}/shop/${repository}:${tag}`;
  const tags = repository === "digest" ? ["prod", "stable"] : ["1.0.0", "1.0.5"];
  const [first, other] = tags.map(image) as [string, string];
  const manifest = createManifest({ kind, name, image: first, annotations });
  return {
    kubectl,
    kind,
    name,
    manifest,
    otherImage: other,
    deleteRecord: () => deleteRecord(kind, name),
    async awaitCollection() {
      await eventually(`the AutoUpdate of ${name} is collected`, async () => {
        const { metadata } = (await record(kind, name)) ?? {};
        return (metadata?.ownerReferences ?? []).length === 0;
      });
    },
  };
}

async function readEnding(
  { kubeConfig, namespace, record }: Stage,
  { kind, name }: Scene,
  seen: readonly Workload[],
  failed: readonly string[],
  digests: ReadonlyMap<string, string>,
): Promise<Ending> {
  const deployments = await openObjects(kubeConfig, namespace).list<Workload>("deployments", {});
  return {
    choices: seen.map(readChoice),
    workload: seen.at(-1) as Workload,
    record: await record(kind, name),
    canaries: deployments.map(({ metadata }) => metadata.name).filter((found) => found === `${name}-canary`),
    failed: failed.filter((message) => message.startsWith(`${name}:`)),
    digests,
  };
}

async function readAll({ kubectl }: Stage, scenes: readonly Scene[]): Promise<ReadonlyMap<string, Workload>> {
  const read = async ({ kind, name }: Scene) => [name, await kubectl.get(kind, name)] as const;
  return new Map(await Promise.all(scenes.map(read)));
}
