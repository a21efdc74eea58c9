import { createKubernetesCluster } from "../../../../functions/adapters/kubernetes/cluster.ts";
import type { DigestOptions } from "../../../../functions/adapters/kubernetes/kinds/digest/digest-tracking.ts";
import { recordStart } from "../../../../functions/domain/workload/record/update-record.ts";
import type { Digests } from "../../../../functions/domain/workload/digest/tracking.ts";
import type { WorkloadRef } from "../../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../../functions/ports/cluster.ts";
import { before, manifest, sidecar, type BuiltInKind, type Parts } from "../../cluster-fixtures.ts";
import type { Doc } from "../../kubernetes-api/raw-request.ts";
import { createObject, type Harness, type Container } from "../harness.ts";
import type { Step } from "../steps.ts";

const updater = "image-updater.eznix86.github.io";
export const enabled = { [`${updater}/enabled`]: "true" };
export const lastDigest = `${updater}/last-digest`;
export const finalizer = `${updater}/finalizer`;
export const track = (names: string) => ({ [`${updater}/track-containers`]: names });
export const ignore = (names: string) => ({ [`${updater}/ignore-containers`]: names });
export const withInit = { [`${updater}/track-init-containers`]: "true" };

export const noon = new Date("2026-11-20T12:00:00Z");
export const restartedAt = "kubectl.kubernetes.io/restartedAt";

/** Returns a digest of one repeated digit. */
export const digest = (figure: number | string) => `sha256:${String(figure).repeat(64)}`;

export const migrate = "registry.invalid/shop/migrate:prod";

/** Creates a workload with containers `app` and `sidecar`, the init container `migrate`, and no pods. */
export function createTracked(
  harness: Harness,
  kind: BuiltInKind,
  { annotations = {}, finalizers, images = {} }: TrackedParts = {},
): Promise<WorkloadRef> {
  const { metadata, spec, ...rest } = manifest(kind, { optIn: null, annotations: { ...enabled, ...annotations } });
  const template = {
    metadata: { labels: { app: "app" } },
    spec: {
      nodeSelector: { nowhere: "true" },
      initContainers: [{ name: "migrate", image: images["migrate"] ?? migrate }],
      containers: [
        { name: "app", image: images["app"] ?? before, env: [{ name: "MODE", value: "shop" }] },
        { ...sidecar, image: images["sidecar"] ?? sidecar.image },
      ],
    },
  };
  const withFinalizers = finalizers === undefined ? {} : { finalizers };
  return createObject(harness, kind, {
    ...rest,
    metadata: { ...metadata, ...withFinalizers },
    spec: { ...spec, template },
  });
}

interface TrackedParts extends Pick<Parts, "annotations"> {
  readonly finalizers?: readonly string[];
  readonly images?: Readonly<Record<string, string>>;
}

/** Returns the same server, with an adapter of other settings. */
export function clusterWith(
  harness: Harness,
  own: { readonly digests?: DigestOptions; readonly readsPullSecrets?: boolean; readonly configSecrets?: boolean },
) {
  const { kubeConfig, namespace } = harness;
  const settings = { name: "under-test", kubeConfig, namespaces: [namespace], warn: () => undefined };
  const cluster: Cluster = createKubernetesCluster({ ...settings, now: () => harness.now, ...own });
  return { ...harness, cluster };
}

/** Claims a workload for a restart to these digests of its tags. Before it, its pods run what was deployed. */
export function restart(digests: Digests, execution = "e-1", at = noon): Step {
  return (workload) => {
    const [name = "", found = ""] = Object.entries(digests)[0] ?? [];
    const image = workload.digests?.containers.find((one) => one.name === name)?.image ?? "";
    const running = Object.entries(workload.digests?.deployed ?? {}).map(([container, one]) => ({
      container,
      digest: one,
    }));
    const target = { kind: "digest", image, digest: found } as const;
    return recordStart(workload, { target, digests, observed: { running } }, execution, at);
  };
}

interface PodTemplate {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly Pulling[]; readonly initContainers: readonly Pulling[] };
}

interface Pulling extends Container {
  readonly imagePullPolicy: string;
}

export function templateOf({ spec }: Doc): PodTemplate {
  return spec?.["template"] as unknown as PodTemplate;
}
