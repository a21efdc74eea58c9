import type { createOciRegistry } from "../../functions/adapters/oci-registry/registry.ts";
import { validateHost } from "../../functions/domain/image/grammar.ts";
import type { Artifacts } from "../../functions/ports/artifacts.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import { InvalidInput } from "../exit-codes.ts";
import type { RegistryOptions } from "../options/registry.ts";

/** Opens the registries without a request. Throws `InvalidInput` and `DockerConfigInvalid`. */
export async function connectRegistry(
  options: RegistryOptions,
  onRateLimit: Parameters<typeof createOciRegistry>[0]["onRateLimit"] = () => undefined,
): Promise<Registry & Artifacts> {
  const { insecureRegistry = [], allowedRegistry, deniedRegistry, dockerConfig } = options;
  const problem = insecureRegistry.map(validateHost).find((found) => found !== null);
  if (problem) throw new InvalidInput(`--insecure-registry: ${problem.reason}`);
  const { createOciRegistry: create } = await import("../../functions/adapters/oci-registry/registry.ts");
  const { chainCredentials } = await import("../../functions/adapters/oci-registry/credentials/credentials.ts");
  const { pullSecretCredentials } =
    await import("../../functions/adapters/oci-registry/credentials/pull-secret-credentials.ts");
  const { readCredentials } =
    await import("../../functions/adapters/oci-registry/credentials/docker-config-credentials.ts");
  return create({
    credentials: chainCredentials([pullSecretCredentials(), await readCredentials(dockerConfig || null)]),
    insecureHosts: insecureRegistry,
    allowed: allowedRegistry,
    denied: deniedRegistry,
    now: () => new Date(),
    onRateLimit,
  });
}
