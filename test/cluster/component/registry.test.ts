import { registryContract, type RegistryUnderTest } from "../../contracts/registry.ts";
import { startRealRegistry } from "../../support/real/real-registry.ts";

const login = { username: "pawl", password: "ratchet" };

registryContract("docker-registry", () => real(null));
registryContract("docker-registry with a login", () => real(login));

async function real(auth: RegistryUnderTest["login"]): Promise<RegistryUnderTest> {
  const registry = await startRealRegistry(auth === null ? {} : { auth });
  return {
    host: registry.host,
    login: auth,
    push: registry.pushImage,
    move: (repository, tag) => registry.pushImage(repository, [tag]),
    close: registry.close,
  };
}
