import * as v from "valibot";
import { mayShareFiles } from "../../functions/domain/git/share-files.ts";
import { closedObject, crossCheck, nullSetting, text, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

/** The environment of a function names each of them. */
const maxRepositories = 10;

const repository = closedObject({
  name: v.pipe(
    text(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "1 to 63 of a-z, 0-9 and inner hyphens"),
    v.description("Its name in policies: writeTo git/NAME."),
  ),
  cluster: v.pipe(
    grammar.clusterName,
    v.description("The cluster whose workloads may name it. Each cluster has entries, and files, of its own."),
  ),
  provider: v.pipe(v.literal("github"), v.description("GitHub, or GitHub Enterprise Server.")),
  apiUrl: nullSetting(
    text(/^https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?(\/[A-Za-z0-9._-]+)*$/, "an https:// address"),
    "The REST API of GitHub Enterprise Server, such as https://github.example.com/api/v3.",
  ),
  pageUrl: nullSetting(
    text(/^https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,5})?$/, "an https:// address without a path"),
    "The page for a team, which commits and pull requests link their workloads to.",
  ),
  repository: v.pipe(
    text(/^[A-Za-z0-9-]{1,39}\/[A-Za-z0-9._-]{1,100}$/, "OWNER/NAME"),
    v.description("OWNER/NAME of the repository."),
  ),
  branch: v.pipe(
    text(/^(?!.*(?:\.\.|\/\/|\.lock$|\/$))[A-Za-z0-9_][A-Za-z0-9._/-]{0,199}$/, "the name of a branch"),
    v.description("The branch that is committed to, and that Argo CD or Flux reads."),
  ),
  mode: v.nullish(
    v.pipe(
      v.picklist(["commit", "pullRequest"]),
      v.description("How images are written: commits to the branch, or pull requests that a person merges."),
    ),
    "commit",
  ),
  appSecretArn: v.pipe(
    grammar.secretArn,
    v.description('The secret with the GitHub App that commits: {"appId": "…", "privateKey": "-----BEGIN…"}.'),
  ),
  paths: v.pipe(
    v.array(text(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[^\\\s][^\\]{0,255}$/, "a path in the repository, such as apps/*")),
    v.minLength(1, "at least one path"),
    v.maxLength(20),
    unique<string>(),
    v.description("Globs of the files that may be read and changed."),
  ),
  namespaces: nullSetting(
    v.pipe(
      v.array(text(/^[a-z0-9*]([a-z0-9*-]{0,61}[a-z0-9*])?$/, "a namespace, or a glob of some")),
      v.minLength(1, "at least one namespace"),
      unique<string>(),
    ),
    "Globs of the namespaces whose workloads may name it. All if absent.",
  ),
});

export const git = v.pipe(
  v.array(repository),
  v.maxLength(maxRepositories),
  unique((one) => {
    const { cluster, name } = (one ?? {}) as { readonly cluster?: string; readonly name?: string };
    return cluster === undefined || name === undefined ? undefined : `${cluster}/${name}`;
  }),
  crossCheck([], (entries) =>
    entries.flatMap((one, index) => {
      const other = entries
        .slice(0, index)
        .find((earlier) => earlier.cluster !== one.cluster && mayShareFiles(earlier, one));
      if (other === undefined) return [];
      const reason = `may have files of git[${entries.indexOf(other)}], which is for the cluster ${other.cluster}; give each cluster its own, such as clusters/${one.cluster}/*`;
      return [{ path: [index, "paths"], reason }];
    }),
  ),
  v.description(
    "The repositories that name the images of workloads whose policy has writeTo: images are committed there.",
  ),
);
