import { type Trouble, writeTroubles } from "../../support/control-plane/kubelet/trouble.ts";
import type { Member } from "../fleet.ts";
import type { Random } from "../random.ts";
import type { NoteKind } from "../record/journal.ts";
import { namespace, type World } from "../world.ts";
import { repeat, sleep } from "./actor.ts";

interface Disturbance {
  readonly note: NoteKind;
  readonly kind: Trouble["kind"];
  /** Whether it is about one pod that runs; otherwise about all of a workload. */
  readonly isOfPod: boolean;
  /** From one to the next, of the whole fleet. */
  readonly every: readonly [number, number];
  readonly lasts: readonly [number, number];
  /** The age at which a slow pod is ready: less than the health timeout, which takes 30 s. */
  readonly age?: readonly [number, number];
}

const disturbances: readonly Disturbance[] = [
  { note: "crash", kind: "exit", isOfPod: true, every: [5, 15], lasts: [1, 3] },
  { note: "eviction", kind: "evict", isOfPod: true, every: [10, 30], lasts: [1.5, 2] },
  { note: "slow start", kind: "slow", isOfPod: false, every: [5, 20], lasts: [10, 60], age: [2, 12] },
  { note: "failed pull", kind: "pull", isOfPod: false, every: [10, 30], lasts: [3, 60] },
  { note: "dependency outage", kind: "exit", isOfPod: false, every: [5, 20], lasts: [3, 90] },
];

/** Lets containers exit, pods be evicted and start slowly, and nodes fail to pull. Nothing is wrong any more when this resolves. */
export async function runNodes(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const troubles = new Set<Trouble>();
  const write = () => writeTroubles(world.plane.kubeconfigPath, namespace, [...troubles]);
  const disturb =
    ({ note, kind, isOfPod, lasts, age }: Disturbance, own: Random) =>
    async () => {
      const { name } = pickMember(world, own);
      const pod = isOfPod ? own.pick(podsOf(world, name)) : undefined;
      if (isOfPod && pod === undefined) return;
      const seconds = own.between(...lasts);
      const trouble = {
        app: name,
        kind,
        ...(pod === undefined ? {} : { pod }),
        ...(age === undefined ? {} : { seconds: own.between(...age) }),
      };
      world.journal.add(note, name, `${pod ?? "all pods"} for ${seconds.toFixed()} s`);
      troubles.add(trouble);
      write();
      const lift = async () => {
        await sleep(seconds, signal);
        troubles.delete(trouble);
        write();
        world.journal.add(note, name, `${pod ?? "all pods"}: over`);
      };
      const end = lift();
      // Others may be in trouble meanwhile.
      if (isOfPod) await end;
    };
  await Promise.all(disturbances.map((one) => repeat(signal, random.fork(), one.every, disturb(one, random.fork()))));
  troubles.clear();
  write();
}

/** More often one that is being updated: the others have nothing to lose. */
function pickMember({ fleet, recording }: World, random: Random): Member {
  const updated = fleet.filter(({ name }) =>
    [...recording.currentOf(name).values()].some((fact) => fact.kind === "record" && fact.status.update !== undefined),
  );
  return random.pick(updated.length > 0 && random.chance(0.6) ? updated : fleet);
}

function podsOf({ recording }: World, name: string): readonly string[] {
  return [...recording.currentOf(name)]
    .filter(([, fact]) => fact.kind === "pod" && fact.isReady)
    .map(([object]) => object.replace("pods/", ""));
}
