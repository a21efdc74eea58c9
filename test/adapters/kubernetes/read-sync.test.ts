import { ApiException } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import type { KubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { readSync } from "../../../functions/adapters/kubernetes/read-sync.ts";
import type { ImageOwner } from "../../../functions/domain/workload/owner/image-owner.ts";
import { Forbidden, Unreachable } from "../../../functions/ports/errors.ts";

const flux: ImageOwner = { tool: "Flux Kustomization", name: "apps", namespace: "flux-system" };
const helm: ImageOwner = { ...flux, tool: "Flux HelmRelease" };
const argo: ImageOwner = { tool: "Argo CD", name: "shop", namespace: null };
const ready = (status: string, reason: string) => [{ type: "Ready", status, reason }];

const forbidden = new Forbidden("no", { cause: new ApiException(403, "no", {}, {}) });

/** Answers for one object by its path. */
function serving(path: string, object: object | Error): Pick<KubernetesApi, "get"> {
  return {
    async get({ group, plural }, namespace, name) {
      if (`${group}/${plural}/${namespace}/${name}` !== path) return null;
      if (object instanceof Error) throw object;
      return object as never;
    },
  };
}

test.for<{ owner: ImageOwner; path: string; object: object; says: string | null }>([
  {
    owner: argo,
    path: "argoproj.io/applications/argocd/shop",
    object: { status: { sync: { status: "Synced", revision: "abc" }, health: { status: "Healthy" }, history: [{}] } },
    says: "it is at abc (Synced, Healthy)",
  },
  {
    owner: { ...argo, namespace: "team" },
    path: "argoproj.io/applications/team/shop",
    object: { status: { sync: { status: "OutOfSync", revisions: ["abc", "def"] } } },
    says: "it is at abc, def (OutOfSync)",
  },
  {
    owner: flux,
    path: "kustomize.toolkit.fluxcd.io/kustomizations/flux-system/apps",
    object: {
      spec: { suspend: true },
      status: { lastAppliedRevision: "main@sha1:abc", conditions: ready("False", "BuildFailed") },
    },
    says: "it is at main@sha1:abc (not Ready: BuildFailed, suspended)",
  },
  {
    owner: helm,
    path: "helm.toolkit.fluxcd.io/helmreleases/flux-system/apps",
    object: {
      status: { history: [{ chartVersion: "1.2.3" }, { chartVersion: "1.2.2" }], conditions: ready("True", "") },
    },
    says: "it is at 1.2.3 (Ready)",
  },
  { owner: argo, path: "argoproj.io/applications/argocd/shop", object: { status: {} }, says: null },
  { owner: argo, path: "argoproj.io/applications/argocd/shop", object: { status: { sync: "x" } }, says: null },
  { owner: argo, path: "argoproj.io/applications/argocd/shop", object: forbidden, says: null },
  {
    owner: { ...flux, namespace: null },
    path: "kustomize.toolkit.fluxcd.io/kustomizations/null/apps",
    object: {},
    says: null,
  },
  { owner: { ...flux, tool: "Helm" }, path: "", object: {}, says: null },
])("$owner.tool with $object: $says", async ({ owner, path, object, says }) => {
  expect(await readSync(serving(path, object), owner)).toBe(says);
});

test("an API server that does not answer is no missing right", async () => {
  const api = serving("argoproj.io/applications/argocd/shop", new Unreachable("no answer"));
  await expect(readSync(api, argo)).rejects.toThrow("no answer");
});
