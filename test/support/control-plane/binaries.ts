import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const names = ["etcd", "kube-apiserver", "kube-controller-manager"] as const;

type Binaries =
  | { readonly kind: "found"; readonly folder: string }
  | { readonly kind: "missing"; readonly reason: string };

/** Returns the folder of the control plane's binaries: KUBEBUILDER_ASSETS if it is set, otherwise the output of build.sh. */
export function findBinaries(environment: NodeJS.ProcessEnv = process.env): Binaries {
  const assets = environment["KUBEBUILDER_ASSETS"];
  const folder = assets ? assets : builtFolder(environment);
  const missing = names.filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return { kind: "found", folder };
  return { kind: "missing", reason: assets ? incomplete(assets, missing) : unbuilt(folder) };
}

/** Returns the output folder of build.sh, which computes the same name. */
function builtFolder(environment: NodeJS.ProcessEnv): string {
  const key = createHash("sha256")
    .update(readFileSync(join(import.meta.dirname, "build.sh")))
    .digest("hex")
    .slice(0, 12);
  const caches = environment["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(environment["PAWL_CACHE"] || join(caches, "pawl"), `control-plane-${key}`);
}

function incomplete(assets: string, missing: readonly string[]): string {
  const consequence = missing.includes("kube-controller-manager")
    ? "; without kube-controller-manager no rollout progresses"
    : "";
  return (
    `KUBEBUILDER_ASSETS (${assets}): missing ${missing.join(", ")}${consequence}; add the missing binaries of the same ` +
    "Kubernetes version, or unset KUBEBUILDER_ASSETS and run test/support/control-plane/build.sh (Debian)."
  );
}

function unbuilt(folder: string): string {
  return (
    `${folder}: no control plane; run test/support/control-plane/build.sh (Debian, about 5 minutes, once), ` +
    "or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kube-controller-manager."
  );
}
