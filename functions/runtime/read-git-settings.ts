import * as v from "valibot";
import type { GitScope } from "../domain/workload/git/write-to.ts";

/** A repository of the deployment. Only the function that commits has more than its scope. */
export interface GitSettings extends GitScope {
  readonly access: GitAccess | null;
}

/** How a repository is reached. */
export interface GitAccess {
  /** null is github.com. */
  readonly apiUrl: string | null;
  readonly pageUrl: string | null;
  readonly repository: string;
  readonly branch: string;
  readonly mode: "commit" | "pullRequest";
  readonly appSecretArn: string;
  readonly paths: readonly string[];
}

const access = v.object({
  apiUrl: v.nullable(v.string()),
  pageUrl: v.nullable(v.string()),
  repository: v.string(),
  branch: v.string(),
  mode: v.picklist(["commit", "pullRequest"]),
  appSecretArn: v.string(),
  paths: v.array(v.string()),
});
const repositories = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ name: v.string(), namespaces: v.nullable(v.array(v.string())), access: v.nullable(access) })),
);

/** Parses the repositories that name images, as JSON. */
export function readGitSettings(value: string | undefined, problems: string[]): readonly GitSettings[] {
  if (!value) return [];
  const parsed = v.safeParse(repositories, value);
  if (parsed.success) return parsed.output;
  problems.push(`PAWL_GIT: ${parsed.issues.map(({ message }) => message).join(", ")}`);
  return [];
}
