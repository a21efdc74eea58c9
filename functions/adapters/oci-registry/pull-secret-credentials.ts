import { LRUCache } from "lru-cache";
import type { CredentialsFor } from "./credentials.ts";
import { loginIn } from "./docker-config.ts";
import { named } from "./places.ts";
import { parseDockerConfig, type DockerConfig } from "./parse-docker-config.ts";

// Characters: some thousand pull secrets of the usual size.
const keptTexts = 4_000_000;

/**
 * The logins that come with what is asked: the pull secrets of a workload, looked into in their order. One whose login is
 * left to a credential helper has none, as for the kubelet. Throws `DockerConfigInvalid`, which names the secret by its
 * place and never shows what it holds.
 */
export function pullSecretCredentials(): CredentialsFor {
  const parsed = new LRUCache<string, DockerConfig>({
    maxSize: keptTexts,
    sizeCalculation: (_, text) => text.length + 1,
  });

  return async (image, logins = []) => {
    for (const [index, text] of logins.entries()) {
      const source = `${named(image)}: pull secret ${index + 1} of ${logins.length} of the workload`;
      const config = parsed.get(text) ?? parseDockerConfig(text, source);
      parsed.set(text, config);
      const login = loginIn(config, image);
      if (login !== null) return login;
    }
    return null;
  };
}
