import { LRUCache } from "lru-cache";
import type { CredentialsFor } from "./credentials.ts";
import { isInScope } from "../../../domain/image/repository-pattern.ts";
import { findLogin, namesExplicitly } from "./docker-config-credentials.ts";
import { repositoryName } from "../urls.ts";
import { parseDockerConfig, type DockerConfig } from "./parse-docker-config.ts";

// Characters: some thousand pull secrets of typical size.
const maxCacheCharacters = 4_000_000;

/**
 * Creates credentials from the pull secrets of a workload, in their order. Credential helpers are ignored, as by the
 * kubelet. Throws `DockerConfigInvalid`, which names the secret by its position and never shows its content.
 */
export function pullSecretCredentials(): CredentialsFor {
  const configs = new LRUCache<string, DockerConfig, string>({
    maxSize: maxCacheCharacters,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: (text, _, { context: source }) => parseDockerConfig(text, source),
  });

  return async (image, logins = []) => {
    const pullSecrets = logins.filter((one) => typeof one === "string");
    for (const one of logins) {
      const { config, source, repositories } =
        typeof one === "string" ? { config: one, source: positionOf(one, pullSecrets), repositories: null } : one;
      if (!isInScope(repositories, image)) continue;
      // A tenant decides where its own logins are sent; those of the deployment go to hosts that it names.
      const allowsWildcards = typeof one === "string" || namesExplicitly(repositories, image);
      const parsed = configs.memo(config, { context: `${repositoryName(image)}: ${source}` });
      const login = findLogin(parsed, image, allowsWildcards);
      if (login !== null) return login;
    }
    return null;
  };
}

function positionOf(text: string, pullSecrets: readonly string[]): string {
  return `pull secret ${pullSecrets.indexOf(text) + 1} of ${pullSecrets.length} of the workload`;
}
