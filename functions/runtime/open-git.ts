import type { GitRepository } from "../ports/git-repository.ts";
import type { GitAccess } from "./read-git-settings.ts";
import type { AdapterOptions } from "./open-aws.ts";
import { openSecret } from "./open-secret.ts";

/** A repository of the deployment. Without access, it belongs to another function. */
interface DeployedRepository {
  readonly name: string;
  readonly access: GitAccess | null;
}

/** Creates the opener of repositories by their names. Each opens once, so that its token and its files are kept while the function is warm. */
export function createGitOpener(
  repositories: readonly DeployedRepository[],
  { aws, now }: Pick<AdapterOptions, "aws" | "now">,
): (name: string) => Promise<GitRepository | null> {
  const opened = new Map<string, GitRepository>();
  return async (name) => {
    const access = repositories.find((one) => one.name === name)?.access ?? null;
    const known = opened.get(name);
    if (access === null || known !== undefined) return known ?? null;
    const { openGitHub } = await import("../adapters/github/repository.ts");
    const { apiUrl, appSecretArn, ...place } = access;
    const secret = await openSecret(appSecretArn, { aws, now });
    const repository = openGitHub({ ...place, name, apiUrl: apiUrl ?? undefined, secret, now });
    opened.set(name, repository);
    return repository;
  };
}
