import type { ImageReference } from "../../../domain/image/reference.ts";
import { isInScope, matchesRepository, parseRepositoryPattern } from "../../../domain/image/repository-pattern.ts";
import { RegistryUnauthorized } from "../../../ports/errors.ts";
import { type Credentials, type CredentialsFor, anonymous } from "./credentials.ts";
import { parseDockerConfig, type DockerConfig, type Entry, DockerConfigInvalid } from "./parse-docker-config.ts";
import { repositoryName } from "../urls.ts";
import { readFile } from "node:fs/promises";

/**
 * Creates credentials from a docker `config.json`, a Kubernetes `.dockerconfigjson` or a `.dockercfg`: the longest key that
 * is a prefix of the image applies. `source` names the file in messages. Throws `DockerConfigInvalid`. Credential helpers
 * are not run: `RegistryUnauthorized` is thrown if only a helper has the login that a registry requires, or a key with a wildcard has
 * it and no list, `repositories`, names the host: anybody may register one below `*.azurecr.io`, and be sent the login.
 */
export function dockerConfigCredentials(
  text: string,
  source: string,
  repositories: readonly string[] | null = null,
): CredentialsFor {
  const config = parseDockerConfig(text, source);
  return async (image) => {
    const allowsWildcards = namesExplicitly(repositories, image);
    const login = findLogin(config, image, allowsWildcards);
    if (login === null && !allowsWildcards) assertNoWildcard(image, config, source);
    if (login === null) assertNoHelper(image, config, source);
    return login;
  };
}

/** Reports whether a list names the host of an image without a wildcard. */
export function namesExplicitly(repositories: readonly string[] | null, image: ImageReference): boolean {
  return isInScope(repositories?.filter((pattern) => !pattern.includes("*")) ?? [], image);
}

/** Returns the login of a parsed config for an image; null if it has none. Keys with a wildcard count only if they are allowed. */
export function findLogin(config: DockerConfig, image: ImageReference, allowsWildcards: boolean): Credentials | null {
  const entries = entriesFor(image, config).filter((entry) => allowsWildcards || !hasWildcard(entry));
  return entries.find(({ credentials }) => credentials !== null)?.credentials ?? null;
}

/** The kubelet compares ports exactly: a login for a host is not one for its other ports. */
function entriesFor(image: ImageReference, { entries }: DockerConfig): readonly Entry[] {
  const { port } = parseRepositoryPattern(image.registry);
  const matching = entries.filter(({ pattern }) => pattern.port === port && matchesRepository(pattern, image));
  return matching.toSorted((a, b) => b.key.length - a.key.length || Number(hasWildcard(a)) - Number(hasWildcard(b)));
}

function hasWildcard({ key }: Entry): boolean {
  return key.includes("*");
}

function assertNoWildcard(image: ImageReference, config: DockerConfig, source: string): void {
  const entry = entriesFor(image, config).find((one) => hasWildcard(one) && one.credentials !== null);
  if (entry === undefined) return;
  throw new RegistryUnauthorized(
    `${repositoryName(image)}: ${source} has a login for ${entry.key}, which is sent only to hosts that a list names; ` +
      `add ${image.registry} to the repositories of this login in registries.logins, or to auths.`,
  );
}

/** Docker marks a login in its credential store by an empty entry; without one, the store has none. */
function assertNoHelper(image: ImageReference, config: DockerConfig, source: string): void {
  const hasEntry = entriesFor(image, config).length > 0;
  const helper = config.helpers.get(image.registry.toLowerCase()) ?? (hasEntry ? config.store : null);
  if (helper === null) return;
  throw new RegistryUnauthorized(
    `${repositoryName(image)}: ${source} has the login for ${image.registry} in the credential helper "${helper}", ` +
      `which Pawl does not run; add it to auths["${image.registry}"].auth (base64 of user:password).`,
  );
}

/** Reads the credentials of a docker config.json; anonymous without a path. Throws `DockerConfigInvalid`, which names the file. */
export async function readCredentials(path: string | null): Promise<CredentialsFor> {
  if (path === null) return anonymous;
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new DockerConfigInvalid(`${path} is not readable: ${error.message}`);
  });
  return dockerConfigCredentials(text, path);
}
