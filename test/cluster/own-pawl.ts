import { inject } from "vitest";
import type { Environment } from "../../functions/settings.ts";
import { clockOf } from "../../infra/local/runtime/clock.ts";
import { type LocalOptions, type LocalPawl, startLocalPawl } from "../../infra/local/runtime/local-pawl.ts";
import type { RealRegistry } from "../support/real-registry.ts";

interface OwnPawlOptions extends Pick<LocalOptions, "onStateChange"> {
  readonly namespace: string;
  readonly registry: RealRegistry;
  readonly environment?: Environment;
  readonly speed?: number;
}

/** A Pawl in this process for one namespace, which polls when it is told to. Its clock is twenty times as fast, unless said otherwise. */
export function startOwnPawl(options: OwnPawlOptions): Promise<LocalPawl> {
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
    clock: clockOf({ speed, since: new Date() }),
  });
}
