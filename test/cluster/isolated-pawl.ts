import { inject } from "vitest";
import type { Environment } from "../../functions/runtime/settings.ts";
import { type Clock, createClock } from "../../infra/local/runtime/clock.ts";
import { type LocalOptions, type LocalPawl, startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import type { RealRegistry } from "../support/real/real-registry.ts";

interface IsolatedPawlOptions extends Pick<LocalOptions, "onStateChange"> {
  readonly namespace: string;
  readonly registry: RealRegistry;
  readonly environment?: Environment;
  readonly speed?: number;
  /** Replaces the clock that `speed` describes. */
  readonly clock?: Clock;
}

/** Starts a Pawl in this process for one namespace, which polls only if `poll` is called. By default its clock runs 20 times as fast. */
export function startIsolatedPawl(options: IsolatedPawlOptions): Promise<LocalPawl> {
  const { namespace, registry, environment = {}, speed = 20, clock, ...rest } = options;
  return startLocalPawl({
    ...rest,
    cluster: "real",
    environment: {
      PAWL_KUBECONFIG: inject("kubeconfig") ?? "",
      PAWL_NAMESPACES: namespace,
      PAWL_INSECURE_REGISTRIES: registry.host,
      // A test waits for all of its workloads at once.
      PAWL_LIMITS: JSON.stringify({ maxConcurrent: 1000 }),
      ...environment,
    },
    clock: clock ?? createClock({ speed, since: new Date() }),
  });
}
