import { problemOfHost } from "../../functions/domain/image-grammar.ts";
import type { Registry } from "../../functions/ports/registry.ts";
import { WrongInput } from "../exit.ts";
import type { RegistryOptions } from "./registry-options.ts";

/** Throws `WrongInput` and `DockerConfigInvalid`. Speaks to no registry yet. */
export async function openRegistry({ insecureRegistry = [], dockerConfig }: RegistryOptions): Promise<Registry> {
  const problem = insecureRegistry.map(problemOfHost).find((found) => found !== null);
  if (problem) throw new WrongInput(`--insecure-registry: ${problem.reason}`);
  const { ociRegistry } = await import("../../functions/adapters/oci-registry/registry.ts");
  const { firstOf } = await import("../../functions/adapters/oci-registry/credentials.ts");
  const { pullSecretCredentials } = await import("../../functions/adapters/oci-registry/pull-secret-credentials.ts");
  const { readCredentials } = await import("../../functions/adapters/oci-registry/read-credentials.ts");
  return ociRegistry({
    credentials: firstOf([pullSecretCredentials(), await readCredentials(dockerConfig || null)]),
    insecureHosts: insecureRegistry,
    now: () => new Date(),
  });
}
