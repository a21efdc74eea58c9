import { inject } from "vitest";
import type { Environment } from "../../functions/runtime/settings.ts";
import { createClock } from "../../infra/local/runtime/clock.ts";
import { type LocalOptions, type LocalPawl, startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import type { RealRegistry } from "../support/real-registry.ts";

interface IsolatedPawlOptions extends Pick<LocalOptions, "onStateChange"> {
  readonly namespace: string;
  readonly registry: RealRegistry;
  readonly environment?: Environment;
  readonly speed?: number;
}

/** Starts a Pawl in this process for one namespace, which polls only if `poll` is called. By default its clock runs 20 times as fast. */
export function startIsolatedPawl(options: IsolatedPawlOptions): Promise<LocalPawl> {
  const { namespace, registry, environment = {}, speed = 20, ...rest } = options;
  return startLocalPawl({
    ...rest,
    cluster: "real",
    environment: {
      PAWL_KUBECONFIG: inject("kubeconfig") ?? "",
      PAWL_NAMESPACES: namespace,
      PAWL_INSECURE_REGISTRIES: registry.host,
      ...environment,
    },
    clock: createClock({ speed, since: new Date() }),
  });
}
