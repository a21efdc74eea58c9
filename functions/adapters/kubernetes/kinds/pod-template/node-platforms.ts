import type { NodePlatforms } from "../../../../domain/image/platform.ts";
import type { PodTemplate } from "../../objects.ts";

/** The well-known labels that the kubelet sets. */
const labels = { os: "kubernetes.io/os", architectures: "kubernetes.io/arch" } as const;

/** Returns the nodes that a pod template names, by its selector or its required affinity; undefined if it names no platform. */
export function nodePlatforms({ spec }: PodTemplate): NodePlatforms | undefined {
  const architectures = valuesOf(spec, labels.architectures);
  const os = spec.os?.name === undefined ? valuesOf(spec, labels.os) : [spec.os.name];
  return architectures === null && os === null ? undefined : { os, architectures };
}

/** Returns the values of a label that the nodes must have one of; null if they may have any. Terms of an affinity are alternatives. */
function valuesOf({ nodeSelector, affinity }: PodTemplate["spec"], label: string): readonly string[] | null {
  const selected = nodeSelector?.[label];
  if (selected !== undefined) return [selected];
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const values = terms.map(({ matchExpressions = [] }) => {
    const named = matchExpressions.find(({ key, operator }) => key === label && operator === "In");
    return named?.values ?? null;
  });
  const known = values.filter((one) => one !== null);
  return known.length === 0 || known.length < values.length ? null : [...new Set(known.flat())];
}
