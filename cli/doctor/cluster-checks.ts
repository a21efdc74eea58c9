import type { KubeConfig } from "@kubernetes/client-node";
import { isStatus, statusBody, toPortError } from "../../functions/adapters/kubernetes/errors.ts";
import type { ContextOptions } from "../options/cluster.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { type Check, failed, passed } from "./check.ts";
import { isIn, type Manifest, partPath, readManifests } from "./manifests.ts";

const plurals: Readonly<Record<string, string>> = {
  CustomResourceDefinition: "customresourcedefinitions",
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings",
};

/** The API server is too old for a kind. */
class NotServed extends Error {
  override readonly name = "NotServed";
}

/** Reports whether two URLs are of one API server, as far as their hosts and ports say. */
export function isSameServer(one: string, other: string): boolean {
  return new URL(one).host.toLowerCase() === new URL(other).host.toLowerCase();
}

/** Checks that the kubeconfig leads to the expected endpoint, and that it answers. */
export function connectionCheck(options: ContextOptions, expected: string | null): Check {
  return {
    name: "cluster",
    async run() {
      const kubeConfig = await loadKubeConfig(options);
      const server = kubeConfig.getCurrentCluster()?.server ?? "";
      if (expected !== null && !isSameServer(expected, server))
        return failed(
          `the context ${kubeConfig.getCurrentContext()} is of ${server}, not of ${expected}`,
          "use --context",
        );
      const { VersionApi } = await import("@kubernetes/client-node");
      const { gitVersion } = await request("version", () => kubeConfig.makeApiClient(VersionApi).getCode());
      return passed(`${gitVersion} at ${server}`);
    },
  };
}

/** Checks that the CRDs and admission policies of this version are applied. */
export function manifestsCheck(
  name: string,
  kinds: readonly string[],
  options: ContextOptions,
  parts: readonly string[],
): Check {
  return {
    name,
    async run() {
      const kubeConfig = await loadKubeConfig(options);
      const problems: string[] = [];
      const missing: string[] = [];
      let count = 0;
      for (const part of parts) {
        for (const manifest of readManifests(part).filter(({ kind }) => kinds.includes(kind))) {
          count += 1;
          const problem = await problemOf(kubeConfig, manifest);
          if (problem === null) continue;
          problems.push(problem);
          missing.push(part);
        }
      }
      if (problems.length === 0) return passed(`${count} as in this version`);
      return failed(problems.join("; "), applyCommands(missing));
    },
  };
}

async function problemOf(kubeConfig: KubeConfig, manifest: Manifest): Promise<string | null> {
  const { kind, metadata, spec } = manifest;
  const found = await getObject(kubeConfig, manifest);
  if (found === null) return `${kind} ${metadata.name} is missing`;
  // A CRD's conversion and names get values of the API server that this version does not set.
  const expected = kind === "CustomResourceDefinition" ? { versions: spec?.["versions"] } : spec;
  return isIn(expected, found.spec) ? null : `${kind} ${metadata.name} is of another version`;
}

async function getObject(kubeConfig: KubeConfig, { apiVersion, kind, metadata }: Manifest): Promise<Manifest | null> {
  const { CustomObjectsApi } = await import("@kubernetes/client-node");
  const [group = "", version = ""] = apiVersion.split("/");
  const path = { group, version, plural: plurals[kind] ?? "", name: metadata.name };
  try {
    return (await kubeConfig.makeApiClient(CustomObjectsApi).getClusterCustomObject(path)) as Manifest;
  } catch (error) {
    if (!isStatus(error, 404)) throw toPortError(error, `${kind} ${metadata.name}`);
    if (statusBody(error).message?.includes(`"${metadata.name}"`)) return null;
    throw new NotServed(`the API server has no ${path.plural} of ${apiVersion}`);
  }
}

async function request<Value>(what: string, send: () => Promise<Value>): Promise<Value> {
  try {
    return await send();
  } catch (error) {
    throw toPortError(error, what);
  }
}

export function applyCommands(parts: readonly string[]): string {
  return [...new Set(parts)].map((part) => `kubectl apply -k ${partPath(part)}`).join("; ");
}
