import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { clusterFolder, type Manifest, manifestsOf, ofKind } from "../../infra/cluster/manifests.ts";
import { policiesUnsupportedReason } from "../../infra/cluster/pawl-groups.ts";
import { findBinaries } from "../../support/control-plane/binaries.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { crds, installCrd } from "../../support/crds/install.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";

interface Policy extends Manifest {
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly spec: {
    readonly matchConstraints: { readonly resourceRules: readonly { readonly apiGroups: readonly string[] }[] };
  };
  readonly status?: { readonly observedGeneration?: number; readonly typeChecking?: object };
}

const kustomizations = readdirSync(clusterFolder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("kustomization.yaml"))
  .map((file) => dirname(file));
/** Kustomizations that are applied once per namespace. */
const perNamespace = new Set(["namespaced", "pull-secrets/namespaced"]);

const unsupported = inject("kubeconfig") === null ? null : await policiesUnsupportedReason(realKubeConfig());

describeOnRealCluster(`infra/cluster${unsupported === null ? "" : ` (${unsupported})`}`, () => {
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    admin = realKubeConfig();
    namespace = await makeNamespace(admin, "manifests");
    for (const name of ["bootc-operator", "monitoring"])
      await rawRequest(admin, "POST", "/api/v1/namespaces", { body: { metadata: { name } } });
    for (const crd of crds) await installCrd(admin, crd);
  });

  describe.skipIf(unsupported !== null)("applied by kubectl", () => {
    test.for(kustomizations.flatMap((folder) => [[folder, "client-side"] as const, [folder, "server-side"] as const]))(
      "prints no warning: %s, %s",
      async ([folder, side]) => {
        const binaries = findBinaries();
        const kubectl = join(binaries.kind === "found" ? binaries.folder : "", "kubectl");
        const where = perNamespace.has(folder) ? ["-n", namespace] : [];
        const how = side === "client-side" ? [] : ["--server-side", "--force-conflicts"];
        const args = ["apply", "--dry-run=server", ...how, ...where, "-k", join(clusterFolder, folder)];
        const env = { KUBECONFIG: inject("kubeconfig") ?? "", HOME: "/nonexistent" };
        const { stdout, stderr } = await promisify(execFile)(kubectl, args, { env });
        // The tests created some of them without kubectl.
        expect(
          stderr.replaceAll(/^Warning: .* is missing the kubectl.kubernetes.io\/last-applied-configuration .*\n/gm, ""),
        ).toBe("");
        expect(stdout).toMatch(/(server dry run)/);
      },
    );
  });

  describe.skipIf(unsupported !== null)("has admission policies", () => {
    /** Creates a policy that is not bound, and returns the warnings of its type check. The server checks no rule with the version `*`. */
    async function typeWarnings({ metadata, spec, ...type }: Policy): Promise<object | undefined> {
      const objects = KubernetesObjectApi.makeApiClient(admin);
      const resourceRules = spec.matchConstraints.resourceRules.map((rule) => ({
        ...rule,
        apiVersions: rule.apiGroups.map((group) => (["", "apps", "batch"].includes(group) ? "v1" : "v1alpha1")),
      }));
      const copy = {
        ...type,
        metadata: { name: `copy-of-${metadata.name}` },
        spec: { ...spec, matchConstraints: { resourceRules } },
      };
      const path = `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/${copy.metadata.name}`;
      await objects.create(copy);
      const { status } = await eventually(`${metadata.name} is checked`, async () => {
        const stored = (await rawRequest(admin, "GET", path, {})).body as unknown as Policy;
        return stored.status?.observedGeneration === stored.metadata.generation && stored;
      });
      await objects.delete(copy);
      return status?.typeChecking;
    }

    const applied = [...manifestsOf("admission-policies"), ...manifestsOf("node-pools/admission-policies")];
    const policies = ofKind(applied, "ValidatingAdmissionPolicy") as readonly Policy[];

    test.for(policies.map((policy) => [policy.metadata.name, policy] as const))(
      "whose types are correct: %s",
      async ([, policy]) => {
        expect(await typeWarnings(policy)).toEqual({});
      },
    );

    test("whose types the server checks: a wrong field is found", async () => {
      const [policy] = policies as [Policy];
      const validations = [{ expression: "has(object.spec.missing)" }];
      const wrong = { ...policy, spec: { ...policy.spec, variables: [], validations } };
      expect(JSON.stringify(await typeWarnings(wrong))).toContain("undefined field 'missing'");
    });
  });
});
