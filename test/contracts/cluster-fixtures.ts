import type { WorkloadRef } from "../../functions/domain/workload/workload.ts";

/** The kinds for which all contract tests run. */
export const kinds = ["Deployment", "StatefulSet", "DaemonSet", "Claw"] as const;
export type Kind = (typeof kinds)[number];
/** Selects the kinds for which a contract runs. */
export type Select = <Kind>(all: readonly Kind[]) => readonly Kind[];
export type BuiltInKind = Exclude<Kind, "Claw">;
export const builtInKinds: readonly BuiltInKind[] = ["Deployment", "StatefulSet", "DaemonSet"];

export const before = "registry.invalid:5000/shop/app:1.0.0";
export const target = "registry.invalid:5000/shop/app:1.1.0";
export const updateTarget = { kind: "image", image: target } as const;
export const sidecar = { name: "sidecar", image: "registry.invalid/proxy:3.1.4" };

const addresses: Readonly<Record<Kind, { readonly apiVersion: string; readonly plural: string }>> = {
  Deployment: { apiVersion: "apps/v1", plural: "deployments" },
  StatefulSet: { apiVersion: "apps/v1", plural: "statefulsets" },
  DaemonSet: { apiVersion: "apps/v1", plural: "daemonsets" },
  Claw: { apiVersion: "claw.prismer.ai/v1alpha1", plural: "claws" },
};

export interface Parts {
  readonly name?: string;
  /** null omits the opt-in; for a built-in kind any text is allowed. */
  readonly optIn?: boolean | string | null;
  readonly annotations?: Readonly<Record<string, string>>;
  /** For a Claw only. */
  readonly autoUpdate?: object;
  readonly runtime?: string;
  /** For a built-in kind only. */
  readonly spec?: object;
}

export function collectionOf(kind: Kind, namespace: string): string {
  const { apiVersion, plural } = addresses[kind];
  return `/apis/${apiVersion}/namespaces/${namespace}/${plural}`;
}

export function pathOf({ kind, namespace, name }: WorkloadRef): string {
  return `${collectionOf(kind as Kind, namespace)}/${name}`;
}

/** Returns an idle workload that opted in. A built-in one has two containers and no pods. */
export function manifest(kind: Kind, parts: Parts = {}) {
  return kind === "Claw" ? claw(parts) : builtIn(kind, parts);
}

function builtIn(kind: BuiltInKind, { name = "app", optIn = true, annotations = {}, spec }: Parts) {
  const own = { ...(optIn === null ? {} : { "pawl.dev/auto-update": String(optIn) }), ...annotations };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, annotations: own },
    spec: { ...(kind === "DaemonSet" ? {} : { replicas: 0 }), ...podSpec(kind, name), ...spec },
  };
}

function podSpec(kind: BuiltInKind, name: string) {
  const containers = [{ name: "app", image: before, env: [{ name: "MODE", value: "shop" }] }, sidecar];
  return {
    selector: { matchLabels: { app: name } },
    ...(kind === "StatefulSet" ? { serviceName: name } : {}),
    template: { metadata: { labels: { app: name } }, spec: { containers, nodeSelector: { nowhere: "true" } } },
  };
}

function claw({ name = "app", optIn = true, annotations = {}, autoUpdate = {}, runtime = "openclaw" }: Parts) {
  const spec = { runtime, ...(optIn === null ? {} : { autoUpdate: { enabled: optIn, ...autoUpdate } }) };
  return { apiVersion: addresses.Claw.apiVersion, kind: "Claw", metadata: { name, annotations }, spec };
}
