import type { ImageReference } from "../../domain/image-reference.ts";
import { RegistryRefused } from "../errors.ts";
import type { Credentials, CredentialsFor } from "./credentials.ts";
import { parseDockerConfig, type DockerConfig, type Entry } from "./parse-docker-config.ts";
import { named } from "./places.ts";

/**
 * The logins of a docker `config.json`, a Kubernetes `.dockerconfigjson` or a `.dockercfg`: the longest key that the image lies under
 * holds. `source` names the file in messages. Throws `DockerConfigInvalid`. Credential helpers are programs and are
 * not run: an image whose login only a helper has is refused when its registry wants one.
 */
export function dockerConfigCredentials(text: string, source: string): CredentialsFor {
  const config = parseDockerConfig(text, source);
  return async (image) => {
    const login = loginIn(config, image);
    if (login === null) assertNoHelper(image, config, source);
    return login;
  };
}

/** The login that a parsed config has for an image; null where it has none. */
export function loginIn(config: DockerConfig, image: ImageReference): Credentials | null {
  return entriesFor(image, config).find(({ credentials }) => credentials !== null)?.credentials ?? null;
}

function entriesFor(image: ImageReference, { entries }: DockerConfig): readonly Entry[] {
  const name = `${image.registry.toLowerCase()}/${image.repository}/`;
  const holding = entries.filter(({ key }) => name.startsWith(`${key}/`));
  return holding.toSorted((one, other) => other.key.length - one.key.length);
}

/** Docker marks a login that its store keeps by an empty entry; without one there is nothing to be fetched. */
function assertNoHelper(image: ImageReference, config: DockerConfig, source: string): void {
  const marked = entriesFor(image, config).length > 0;
  const helper = config.helpers.get(image.registry.toLowerCase()) ?? (marked ? config.store : null);
  if (helper === null) return;
  throw new RegistryRefused(
    `${named(image)}: ${source} leaves the login for ${image.registry} to the credential helper "${helper}", ` +
      `which Pawl does not run. Write it into auths["${image.registry}"].auth instead (base64 of user:password).`,
  );
}
