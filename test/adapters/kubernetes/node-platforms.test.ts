import { expect, test } from "vitest";
import { nodePlatforms } from "../../../functions/adapters/kubernetes/kinds/pod-template/node-platforms.ts";

const arch = "kubernetes.io/arch";
const os = "kubernetes.io/os";

type Expression = { readonly key: string; readonly operator: string; readonly values?: readonly string[] };

function affinity(...terms: readonly (readonly Expression[] | undefined)[]) {
  const nodeSelectorTerms = terms.map((matchExpressions) => (matchExpressions ? { matchExpressions } : {}));
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

const inArch = (...values: string[]) => ({ key: arch, operator: "In", values });

test.for([
  { by: "nothing", spec: {}, nodes: undefined },
  { by: "another label", spec: { nodeSelector: { pool: "a" } }, nodes: undefined },
  { by: "a selector", spec: { nodeSelector: { [arch]: "arm64" } }, nodes: { os: null, architectures: ["arm64"] } },
  {
    by: "both labels",
    spec: { nodeSelector: { [arch]: "amd64", [os]: "windows" } },
    nodes: { os: ["windows"], architectures: ["amd64"] },
  },
  { by: "the field os", spec: { os: { name: "windows" } }, nodes: { os: ["windows"], architectures: null } },
  {
    by: "an affinity",
    spec: affinity([inArch("amd64", "arm64")]),
    nodes: { os: null, architectures: ["amd64", "arm64"] },
  },
  {
    by: "its alternatives",
    spec: affinity([inArch("amd64")], [inArch("arm64")]),
    nodes: { os: null, architectures: ["amd64", "arm64"] },
  },
  {
    by: "one alternative only",
    spec: affinity([inArch("amd64")], [{ key: "pool", operator: "Exists" }]),
    nodes: undefined,
  },
  { by: "an alternative without expressions", spec: affinity([inArch("amd64")], undefined), nodes: undefined },
  { by: "what nodes must not be", spec: affinity([{ ...inArch("arm64"), operator: "NotIn" }]), nodes: undefined },
  { by: "an affinity without a requirement", spec: { affinity: { nodeAffinity: {} } }, nodes: undefined },
])("the nodes of a pod template with $by", ({ spec, nodes }) => {
  expect(nodePlatforms({ spec: { containers: [], ...spec } })).toEqual(nodes);
});
