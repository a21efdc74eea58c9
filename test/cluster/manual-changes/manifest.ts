import { annotations, imageUpdaterAnnotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { Manifest } from "../../support/kubectl/apply.ts";
import type { Kind, Workload } from "../../support/kubectl/objects.ts";

interface ManifestOptions {
  readonly kind: Kind;
  readonly name: string;
  readonly image: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Long enough that only the decision about the person's change ends an update. */
const policy = { [annotations.healthTimeout]: "1h" };
export const byTag = {
  ...policy,
  [annotations.autoUpdate]: "true",
  [annotations.versionConstraint]: ">=1.0.0-0",
  [annotations.versioning]: "semver",
};
export const byCanary = { ...byTag, [annotations.canary]: "1" };
export const byDigest = { ...policy, [imageUpdaterAnnotations.enabled]: "true" };

const noteAnnotation = "example.com/note";

/** Returns a manifest with an annotation and a variable that `prune` removes. */
export function createManifest({ kind, name, image, annotations: own = byTag }: ManifestOptions): Manifest {
  const labels = { app: name };
  // A node would otherwise not pull another digest of a tag that it has.
  const container = { name: "app", image, imagePullPolicy: "Always", env: [{ name: "NOTE", value: "one" }] };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name, annotations: { ...own, [noteAnnotation]: "one" } },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 2 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

/** Returns the manifest without its note and its variable. */
export function prune(manifest: Manifest): Manifest {
  const { [noteAnnotation]: _note, ...kept } = manifest.metadata.annotations ?? {};
  const { template } = manifest.spec;
  const containers = template.spec.containers.map(({ env: _env, ...container }) => container);
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: kept },
    spec: { ...manifest.spec, template: { ...template, spec: { ...template.spec, containers } } },
  };
}

/** What a person chose, as far as it is in the object. */
export interface Choice {
  readonly image: string | undefined;
  readonly env: readonly object[] | undefined;
  readonly replicas: number | undefined;
  readonly restartedAt: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The controller's, and what describes an update to people. */
const othersAnnotations = /^(deployment\.kubernetes\.io|deprecated\.daemonset)\//;

export function readChoice({ metadata, spec }: Workload): Choice {
  const [container] = spec.template.spec.containers;
  const own = Object.entries(metadata.annotations ?? {}).filter(([key]) => !othersAnnotations.test(key));
  return {
    image: container?.image,
    env: container?.env,
    replicas: spec.replicas,
    restartedAt: spec.template.metadata.annotations?.["kubectl.kubernetes.io/restartedAt"],
    annotations: Object.fromEntries(own),
  };
}
