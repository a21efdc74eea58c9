import { matchesGlob } from "../text/glob.ts";
import { trimEnd } from "../text/trim-end.ts";

/** Reports whether a path is a YAML file of the deployment's paths: globs, or folders. */
export function isAllowedFile(path: string, allowed: readonly string[]): boolean {
  if (!/\.ya?ml$|(?:^|\/)Kustomization$/.test(path)) return false;
  return allowed.some((glob) => matchesGlob(glob, path) || matchesGlob(`${trimEnd(glob, "/")}/*`, path));
}

/** Reports whether a file may name the image of a workload: by a marker, or as a kustomization. */
export function mayNameImage(path: string, text: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return text.includes('"$imagepolicy"') || isKustomization(name);
}

/** Reports whether kustomize reads a file of this name. */
export function isKustomization(name: string): boolean {
  return ["kustomization.yaml", "kustomization.yml", "Kustomization"].includes(name);
}

/** Reports whether a folder may have such files somewhere. */
export function mayHaveAllowedFiles(folder: string, allowed: readonly string[]): boolean {
  return allowed.some((glob) => {
    const fixed = glob.slice(0, glob.search(/[*?]|$/));
    return `${folder}/`.startsWith(fixed) || fixed.startsWith(`${folder}/`) || fixed === folder;
  });
}
