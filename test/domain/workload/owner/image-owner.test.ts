import { expect, test } from "vitest";
import {
  describeOwner,
  type FieldManager,
  type OwnerFacts,
  recognizeOwner,
} from "../../../../functions/domain/workload/owner/image-owner.ts";

const helmLabel = { "app.kubernetes.io/managed-by": "Helm" };
const helmRelease = { "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "apps" };
const pawl: FieldManager = { manager: "pawl", operation: "Update" };

const labelOf = (tool: string, name: string) => ({
  [`${tool}.toolkit.fluxcd.io/name`]: name,
  [`${tool}.toolkit.fluxcd.io/namespace`]: "flux-system",
});

interface Case extends Partial<OwnerFacts> {
  readonly when: string;
  readonly owner: string | null;
}

const cases: readonly Case[] = [
  { when: "nothing shows one", owner: null },
  { when: "Pawl has set the image", managers: [pawl], owner: null },
  { when: "Helm has installed it", labels: helmLabel, annotations: helmRelease, owner: "Helm release apps/shop" },
  { when: "its label is that of Helm", labels: helmLabel, owner: "Helm" },
  {
    when: "its annotation names the release only",
    annotations: { "meta.helm.sh/release-name": "shop" },
    owner: "Helm release shop",
  },
  { when: "Flux applies it", labels: labelOf("kustomize", "apps"), owner: "Flux Kustomization flux-system/apps" },
  {
    when: "Flux installs it by Helm",
    labels: { ...helmLabel, ...labelOf("helm", "shop") },
    annotations: helmRelease,
    owner: "Flux HelmRelease flux-system/shop",
  },
  {
    when: "the label of Flux has no namespace",
    labels: { "helm.toolkit.fluxcd.io/name": "shop" },
    owner: "Flux HelmRelease shop",
  },
  {
    when: "Argo CD tracks it by annotation",
    annotations: { "argocd.argoproj.io/tracking-id": "shop:apps/Deployment:default/web" },
    owner: "Argo CD Application shop",
  },
  {
    when: "its Application is in another namespace",
    annotations: { "argocd.argoproj.io/tracking-id": "team-a_shop:apps/Deployment:default/web" },
    owner: "Argo CD Application team-a/shop",
  },
  {
    when: "Argo CD tracks it by label",
    labels: { "argocd.argoproj.io/instance": "shop" },
    owner: "Argo CD Application shop",
  },
  {
    when: "Argo CD renders a chart",
    labels: { ...helmLabel, "argocd.argoproj.io/instance": "shop" },
    owner: "Argo CD Application shop",
  },
  { when: "the tracking id is empty", annotations: { "argocd.argoproj.io/tracking-id": "" }, owner: "Argo CD" },
  { when: "the tracking id has no names", annotations: { "argocd.argoproj.io/tracking-id": "_:" }, owner: "Argo CD" },
  {
    when: "the label of Helm names another tool",
    labels: { "app.kubernetes.io/managed-by": "kustomize" },
    owner: null,
  },
  ...(
    [
      ["helm", "Update", "Helm"],
      ["helm-controller", "Apply", "Flux HelmRelease"],
      ["kustomize-controller", "Apply", "Flux Kustomization"],
      ["argocd-controller", "Apply", "Argo CD"],
      ["argocd-application-controller", "Update", "Argo CD"],
      ["deployer", "Apply", "field manager deployer"],
      ["kubectl", "Apply", "field manager kubectl"],
      ["kubectl-client-side-apply", "Update", "field manager kubectl-client-side-apply"],
      ["kubectl-edit", "Update", null],
      ["kubectl-set", "Update", null],
      ["node-fetch", "Update", null],
    ] as const
  ).map(([manager, operation, owner]) => ({
    when: `${manager} has set the image by ${operation}`,
    managers: [pawl, { manager, operation }],
    owner,
  })),
];

test.for(cases)("$when: $owner", ({ labels = {}, annotations = {}, managers = [], owner }) => {
  const found = recognizeOwner({ labels, annotations, managers });
  expect(found === null ? null : describeOwner(found)).toBe(owner);
});
