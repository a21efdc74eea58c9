import { PatchStrategy } from "@kubernetes/client-node";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { isTrackedByDigest, type Member } from "../fleet.ts";
import type { Random } from "../random.ts";
import type { World } from "../world.ts";
import { repeat } from "./actor.ts";

/** What people do: they push versions, edit workloads, undo rollouts and reset circuits. */
export async function runPeople(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const secondsPerPush = 120 / world.fleet.length;
  await Promise.all([
    repeat(signal, random.fork(), [secondsPerPush / 2, secondsPerPush * 1.5], pusher(world, random.fork())),
    repeat(signal, random.fork(), [6, 18], editor(world, random.fork())),
    repeat(signal, random.fork(), [20, 40], () => resetCircuits(world)),
  ]);
}

function pusher({ fleet, registry, journal }: World, random: Random): () => Promise<void> {
  return async () => {
    const member = random.pick(fleet);
    const count = random.chance(0.15) ? 2 : 1;
    for (let index = 0; index < count; index += 1) {
      const { version } = await registry.push(member, random.chance(0.7));
      journal.add("push", member.name, version);
    }
  };
}

type Edit = (world: World, member: Member, random: Random) => Promise<string>;

const edits: Readonly<Record<"image" | "undo" | "scale" | "restart" | "annotate", Edit>> = {
  async image({ kubectl, registry }, { kind, name }, random) {
    const { version } = random.pick(registry.releases.get(name) ?? []);
    await kubectl.setImage(kind, name, `${registry.host}/chaos/${name}:${version}`);
    return `set image ${version}`;
  },
  async undo({ kubectl }, { kind, name }) {
    await kubectl.rolloutUndo(kind, name);
    return "rollout undo";
  },
  async scale({ kubectl }, { kind, name }, random) {
    const replicas = random.pick([0, 1, 2, 2, 3, 3, 4]);
    await kubectl.scale(kind, name, replicas);
    return `scale ${replicas}`;
  },
  async restart({ kubectl }, { kind, name }) {
    await kubectl.rolloutRestart(kind, name);
    return "rollout restart";
  },
  async annotate({ kubectl }, { kind, name }, random) {
    const note = String(Math.floor(random.between(0, 1000)));
    await kubectl.annotate(kind, name, { "example.com/note": note });
    return `annotate ${note}`;
  },
};

function editor(world: World, random: Random): () => Promise<void> {
  return async () => {
    const member = random.pick(world.fleet);
    const verb = random.pick(verbsFor(member));
    const done = await edits[verb](world, member, random).catch((error: Error) => error);
    // The API server is down, or there is nothing to go back to.
    if (done instanceof Error) return;
    world.journal.add(verb === "undo" ? "undo" : "edit", member.name, done);
  };
}

function verbsFor(member: Member): readonly (keyof typeof edits)[] {
  const verbs = ["annotate", "restart", ...(member.kind === "DaemonSet" ? [] : (["scale", "scale"] as const))] as const;
  return isTrackedByDigest(member) ? verbs : [...verbs, "image", "image", "undo", "undo"];
}

/** Resets every open circuit, as its owner would. */
export async function resetCircuits({ fleet, recording, autoUpdates, journal }: World): Promise<void> {
  const open = fleet.filter(({ name }) =>
    [...recording.currentOf(name).values()].some((fact) => fact.kind === "record" && fact.status.circuitOpen === true),
  );
  for (const { kind, name } of open) {
    const request = { metadata: { annotations: { [annotations.request]: `reset ${Date.now()}` } } };
    const patch = autoUpdates.patch("autoupdates", `${kind.toLowerCase()}-${name}`, PatchStrategy.MergePatch, request);
    const isDone = await patch.then(
      () => true,
      () => false,
    );
    if (isDone) journal.add("reset", name, "pawl reset");
  }
}
