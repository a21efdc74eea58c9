import { tagOf } from "../../../functions/domain/image/reference.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A dependency of the pods of `web`, whatever their version: it is away from the first pod of the target on. */
export interface Outage {
  /** Whether pods that are ready need it too, and not only those that start. */
  readonly hitsRunning: boolean;
  /** Whether a pod without it exits; otherwise its probe fails. */
  readonly exits: boolean;
  /** The number of seconds until it is back, counted from when the first pod of a version started without it; null if it never is. */
  readonly end: { readonly version: string; readonly seconds: number } | null;
}

interface Container {
  readonly restartCount: number;
}

interface Pod {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status?: { readonly containerStatuses?: readonly Container[] };
}

const target = "1.1.0";

/** Returns a probe of the images of `web`, which begins and ends the outage; `url` is the cluster. */
export function createOutage({ hitsRunning, exits, end }: Outage, url: () => string, time: VirtualTime) {
  let state: "before" | "away" | "over" = "before";
  const hit = new Set<string>();

  /** A pod without its dependency is not ready; with it again it is, and shows that it has exited. */
  async function report(isReady: boolean): Promise<void> {
    const pods = `${url()}/api/v1/namespaces/shop/pods`;
    const { items } = (await (await fetch(pods)).json()) as { readonly items: readonly Pod[] };
    const own = items.filter(({ metadata, status }) => metadata.labels?.["app"] === "web" && status?.containerStatuses);
    for (const { metadata, status } of own)
      await fetch(`${pods}/${metadata.name}/status`, {
        method: "PATCH",
        headers: { "content-type": "application/merge-patch+json" },
        body: JSON.stringify({ status: podStatus(status?.containerStatuses ?? [], isReady, exits, time.now()) }),
      });
  }

  return function isHealthy(image: string): boolean {
    if (!/\/shop\/(good|bad):/.test(image) || state === "over") return true;
    const version = tagOf(image);
    if (state === "before" && version !== target) return true;
    if (state === "before" && hitsRunning) void report(false);
    state = "away";
    if (version === end?.version && !hit.has(version))
      time.schedule(end.seconds, () => {
        state = "over";
        void report(true);
      });
    hit.add(version);
    return false;
  };
}

function podStatus(containers: readonly Container[], isReady: boolean, exits: boolean, now: Date) {
  const lastTransitionTime = now.toISOString().replace(/\.\d+Z/, "Z");
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? "True" : "False",
    lastTransitionTime,
  });
  const exit = { exitCode: 1, reason: "Error", message: "no database", finishedAt: lastTransitionTime };
  const hasExited = exits && isReady;
  return {
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", isReady),
      condition("Ready", isReady),
    ],
    containerStatuses: containers.map((one) => ({
      ...one,
      ready: isReady,
      ...(hasExited ? { restartCount: one.restartCount + 1, lastState: { terminated: exit } } : {}),
    })),
  };
}
