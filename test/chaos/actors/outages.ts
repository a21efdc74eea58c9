import type { Random } from "../random.ts";
import { outageModes } from "../registry-proxy.ts";
import type { World } from "../world.ts";
import { repeat, sleep } from "./actor.ts";

const apiServer = "kube-apiserver";
const controllerManager = "kube-controller-manager";

/** Interrupts the control plane and the registry. Nothing is down when this resolves. */
export async function runOutages(world: World, random: Random, signal: AbortSignal): Promise<void> {
  await Promise.all([
    repeat(signal, random.fork(), [20, 80], controlPlaneOutage(world, random.fork())),
    repeat(signal, random.fork(), [20, 80], registryOutage(world, random.fork())),
  ]);
}

/** The API server is killed, the controller manager, or both: then its caches are new too. */
function controlPlaneOutage({ plane, journal }: World, random: Random): () => Promise<void> {
  return async () => {
    const down = random.pick([[apiServer], [apiServer], [controllerManager], [apiServer, controllerManager]] as const);
    const seconds = random.between(2, down.length === 1 ? 40 : 20);
    const text = `for ${seconds.toFixed()} s: ${down.join(", ")}`;
    journal.add(down[0] === apiServer ? "API server outage" : "controller manager outage", null, text);
    const starts: (() => Promise<void>)[] = [];
    for (const name of down) starts.push(await plane.interrupt(name));
    await sleep(seconds);
    for (const start of starts) await start();
  };
}

function registryOutage({ registry, journal }: World, random: Random): () => Promise<void> {
  return async () => {
    const mode = random.pick(outageModes);
    const seconds = random.between(3, 40);
    journal.add("registry outage", null, `${mode} for ${seconds.toFixed()} s`);
    registry.fail(mode);
    await sleep(seconds);
    registry.fail(null);
  };
}
