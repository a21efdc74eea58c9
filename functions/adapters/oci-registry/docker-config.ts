import type { ImageReference } from "../../domain/image-reference.ts";
import { RegistryRefused } from "../errors.ts";
import type { CredentialsFor } from "./credentials.ts";
import { parseDockerConfig, type DockerConfig, type Entry } from "./parse-docker-config.ts";
import { named } from "./places.ts";

/**
 * The logins of a docker `config.json` or a Kubernetes `.dockerconfigjson`: the longest key that the image lies under
 * holds. `source` names the file in messages. Throws `DockerConfigInvalid`. Credential helpers are programs and are
 * not run: an image whose login only a helper has is refused when its registry wants one.
 */
export function dockerConfigCredentials(text: string, source: string): CredentialsFor {
  const config = parseDockerConfig(text, source);
  return async (image) => {
    const entries = entriesFor(image, config);
    const login = entries.find(({ credentials }) => credentials !== null);
    if (login === undefined) assertNoHelper(image, config, entries, source);
    return login?.credentials ?? null;
  };
}

function entriesFor(image: ImageReference, { entries }: DockerConfig): readonly Entry[] {
  const name = `${image.registry.toLowerCase()}/${image.repository}/`;
  const holding = entries.filter(({ key }) => name.startsWith(`${key}/`));
  return holding.toSorted((one, other) => other.key.length - one.key.length);
}

/** Docker marks a login that its store keeps by an empty entry; without one there is nothing to be fetched. */
function assertNoHelper(image: ImageReference, config: DockerConfig, entries: readonly Entry[], source: string): void {
  const helper = config.helpers.get(image.registry.toLowerCase()) ?? (entries.length > 0 ? config.store : null);
  if (helper === null) return;
  throw new RegistryRefused(
    `${named(image)}: ${source} leaves the login for ${image.registry} to the credential helper "${helper}", ` +
      `which Pawl does not run. Write it into auths["${image.registry}"].auth instead (base64 of user:password).`,
  );
}
