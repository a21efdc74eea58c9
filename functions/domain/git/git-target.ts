/** The image of a workload, as the files of a repository may name it. */
export interface GitTarget {
  readonly namespace: string;
  /** Name of the AutoUpdate, as in the marker `{"$imagepolicy": "NAMESPACE:NAME"}`. */
  readonly autoUpdate: string;
  /** Repository of the image, without tag and digest: the name of an entry in `images:` of a kustomization. */
  readonly image: string;
}

/** What the files say about a target. `image` is the reference that they give: of a field with a tag only, a reference without digest. */
export type FoundImage =
  | { readonly kind: "found"; readonly image: string; readonly paths: readonly string[] }
  | { readonly kind: "problem"; readonly reason: string };

/** The changed files only; none if the files say so already. */
export type WrittenImage =
  | { readonly kind: "written"; readonly files: ReadonlyMap<string, string> }
  | { readonly kind: "problem"; readonly reason: string };
