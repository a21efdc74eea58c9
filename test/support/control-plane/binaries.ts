import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const names = ["etcd", "kube-apiserver", "kube-controller-manager"] as const;

export type Binaries =
  | { readonly kind: "found"; readonly folder: string }
  | { readonly kind: "missing"; readonly reason: string };

/** The folder of the control plane's binaries: KUBEBUILDER_ASSETS where a user has it, else what build.sh made. */
export function findBinaries(environment: NodeJS.ProcessEnv = process.env): Binaries {
  const assets = environment["KUBEBUILDER_ASSETS"];
  const folder = assets ? assets : builtFolder(environment);
  const missing = names.filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return { kind: "found", folder };
  return { kind: "missing", reason: assets ? incomplete(assets, missing) : unbuilt(folder) };
}

/** build.sh names its output in the same way. */
function builtFolder(environment: NodeJS.ProcessEnv): string {
  const key = createHash("sha256")
    .update(readFileSync(join(import.meta.dirname, "build.sh")))
    .digest("hex")
    .slice(0, 12);
  const caches = environment["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(environment["PAWL_CACHE"] || join(caches, "pawl"), `control-plane-${key}`);
}

function incomplete(assets: string, missing: readonly string[]): string {
  const why = missing.includes("kube-controller-manager") ? "; without kube-controller-manager nothing rolls out" : "";
  return (
    `KUBEBUILDER_ASSETS (${assets}) lacks ${missing.join(", ")}${why}. ` +
    "Put what is missing there, of the same Kubernetes version, or unset KUBEBUILDER_ASSETS and run " +
    "test/support/control-plane/build.sh (Debian)."
  );
}

function unbuilt(folder: string): string {
  return (
    `There is no control plane in ${folder}. Run test/support/control-plane/build.sh (Debian, about 5 minutes, once), ` +
    "or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kube-controller-manager."
  );
}
