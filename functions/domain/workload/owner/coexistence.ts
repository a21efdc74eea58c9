import { tagOf } from "../../image/reference.ts";
import type { Workload } from "../workload.ts";
import { describeOwner, type ImageOwner } from "./image-owner.ts";

/** The image of a workload, and who sets it again beside Pawl. */
export interface OwnedImage {
  readonly owner: ImageOwner;
  /** The containers that Pawl updates. */
  readonly containers: readonly OwnedContainer[];
}

export interface OwnedContainer {
  readonly name: string;
  /** The JSON pointer of its image. */
  readonly pointer: string;
}

interface Facts {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly containers: readonly OwnedContainer[];
  /** The tag that runs. */
  readonly version: string;
}

const reapply = "pawl.dev/on-revert: reapply";

/** Facts about each tool: `docs/how-to/owners.md` explains them. */
const settings: Readonly<Record<ImageOwner["tool"], (facts: Facts) => string>> = {
  "Argo CD": ({ group, kind, name, containers }) =>
    `set in the Application spec.ignoreDifferences: [{group: ${group}, kind: ${kind}, name: ${name}, ` +
    `jqPathExpressions: [${containers.map((container) => `'${jqPath(container)}'`).join(", ")}]}] ` +
    "and spec.syncPolicy.syncOptions: [RespectIgnoreDifferences=true]",
  "Flux Kustomization": (facts) =>
    `set in the Kustomization spec.ignore: ${ignoreRules(facts)} (kustomize-controller 1.9 or newer; with an older one, set the annotation ` +
    "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent on the workload)",
  "Flux HelmRelease": (facts) =>
    `set in the HelmRelease spec.driftDetection.ignore: ${ignoreRules(facts)} if it detects drift; an upgrade sets the image of its ` +
    `values, so set the tag in spec.values to ${facts.version} before one, or ${reapply} on the workload`,
  Helm: ({ version }) =>
    `pass the running tag to each helm upgrade (--set VALUE=${version}, with the chart's VALUE for the tag), or set ${reapply}; without, ` +
    'Helm 3 sets its image back, and Helm 4 fails with a conflict with the field manager "pawl" unless it has --force-conflicts',
  "field manager": () =>
    "leave the image out of what is applied with kubectl apply --server-side, once Pawl has set one; a client-side apply sets the image " +
    `of its manifest, so use a server-side one, or set ${reapply}`,
};

/** Of a Kustomization, and of the drift detection of a HelmRelease. */
function ignoreRules({ kind, name, containers }: Facts): string {
  const paths = containers.map(({ pointer }) => pointer).join(", ");
  return `[{paths: [${paths}], target: {kind: ${kind}, name: ${name}}}]`;
}

/** Describes in a sentence who sets the image of a workload again, and what to set: nothing if git names the image. */
export function describeCoexistence(
  { ref, image, policy: { writeTo } }: Pick<Workload, "ref" | "image" | "policy">,
  { owner, containers }: OwnedImage,
  git: readonly string[] = [],
): string {
  const { apiVersion, kind, name } = ref;
  const who = describeOwner(owner);
  if (writeTo !== undefined)
    return `${who} brings the image that Pawl commits to ${writeTo || "git"}; it needs no setting`;
  const facts = {
    group: apiVersion.slice(0, apiVersion.indexOf("/")),
    kind,
    name,
    containers,
    version: tagOf(image ?? ""),
  };
  const setting = `${who} sets the image too; ${settings[owner.tool](facts)}`;
  const isOfGit = owner.tool === "Argo CD" || owner.tool.startsWith("Flux ");
  if (!isOfGit || git.length === 0) return setting;
  const places = git.map((one) => `pawl.dev/write-to: git/${one}`).join(" or ");
  return `${setting}. Or let Pawl commit the image: ${places} on the workload (policy: {writeTo: git/${git[0]}} in its AutoUpdate)`;
}

/** `/spec/template/spec/containers/0/image` becomes `.spec.template.spec.containers[] | select(.name == "app") | .image`. */
function jqPath({ name, pointer }: OwnedContainer): string {
  const list = pointer.split("/").slice(1, -2).join(".");
  return `.${list}[] | select(.name == "${name}") | .image`;
}
