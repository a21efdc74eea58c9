import { isSameRepository, splitReference } from "../image/reference.ts";
import type { GitTarget } from "./git-target.ts";
import { fieldsOf, type FoundFields, problemAt } from "./image-field.ts";
import { parseYaml } from "./yaml-scalars.ts";

/**
 * Finds the image among `kustomize.images` of an Application's own file, `.argocd-source-<app>.yaml` or `.argocd-source-<namespace>_<app>.yaml`.
 * Its items are `[NAME=]IMAGE`.
 */
export function findArgoSourceFields(files: ReadonlyMap<string, string>, target: GitTarget): FoundFields {
  const { application, image } = target;
  const none: FoundFields = { kind: "fields", fields: [] };
  if (application === null) return none;
  const found = [...files].filter(([path]) => isSourceOf(path, application));
  const [file, other] = found;
  if (file === undefined) return none;
  const [path, text] = file;
  if (other !== undefined)
    return problemAt(
      other[0],
      other[1],
      0,
      `${path} is of an Application ${application} too; narrow paths of the deployment to one of them`,
    );
  const parsed = parseYaml(text);
  if (parsed.kind === "broken")
    return problemAt(path, text, parsed.at, `not valid YAML: ${parsed.message}; correct it`);
  const items = parsed.scalars
    .filter(({ keys: [tool, list, , ...rest] }) => tool === "kustomize" && list === "images" && rest.length === 0)
    .map((scalar) => ({
      scalar,
      part: "reference" as const,
      prefix: scalar.value.slice(0, scalar.value.indexOf("=") + 1),
    }))
    .filter(({ scalar, prefix }) => isSameRepository(splitReference(scalar.value.slice(prefix.length)).name, image));
  if (items.length > 0) return fieldsOf(path, text, items);
  const helm = parsed.scalars.find(({ keys: [tool, list] }) => tool === "helm" && list === "parameters");
  if (helm === undefined) return none;
  const policy = JSON.stringify({ $imagepolicy: `${target.namespace}:${target.autoUpdate}:tag` });
  return problemAt(
    path,
    text,
    helm.start,
    `nothing says which parameter is ${image}; add the comment # ${policy} behind its value`,
  );
}

function isSourceOf(path: string, application: string): boolean {
  const [, named = ""] = /(?:^|\/)\.argocd-source-([^/]*)\.yaml$/.exec(path) ?? [];
  return named === application || named.slice(named.indexOf("_") + 1) === application;
}
