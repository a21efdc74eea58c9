import { describe, expect, test } from "vitest";
import { canonicalTemplate } from "../../../../functions/domain/workload/release/canonical-template.ts";
import type { TemplateSnapshot } from "../../../../functions/domain/workload/release/release.ts";

type Fields = Record<string, unknown>;
interface Sample {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  spec: Fields & { containers: Fields[]; initContainers: Fields[]; hostAliases: Fields[] };
}

const sample: Sample = {
  metadata: { labels: { app: "web" }, annotations: { "checksum/config": "1" } },
  spec: {
    containers: [
      {
        name: "app",
        image: "registry.example/shop/app:1.0.0",
        command: ["run"],
        args: ["--all"],
        ports: [{ containerPort: 80 }, { containerPort: 81 }],
        env: [
          { name: "A", value: "1" },
          { name: "B", value: "2" },
        ],
        envFrom: [{ configMapRef: { name: "one" } }, { configMapRef: { name: "two" } }],
        volumeMounts: [{ name: "data", mountPath: "/data" }],
        resources: { limits: { cpu: "1" } },
        securityContext: { capabilities: { add: ["NET_ADMIN", "SYS_TIME"], drop: ["ALL"] } },
        readinessProbe: { httpGet: { path: "/", port: 80 } },
        lifecycle: { preStop: { exec: { command: ["sleep", "5"] } } },
      },
    ],
    initContainers: [
      { name: "first", image: "a:1" },
      { name: "second", image: "b:1" },
    ],
    hostAliases: [
      { ip: "10.0.0.1", hostnames: ["b", "a"] },
      { ip: "10.0.0.2", hostnames: ["c"] },
    ],
    volumes: [{ name: "data", emptyDir: {} }],
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
  },
};

type Edit = (template: Sample) => unknown;
const app =
  (fields: Fields): Edit =>
  ({ spec }) =>
    Object.assign(spec.containers[0] as Fields, fields);
const annotate =
  (key: string, value = "2"): Edit =>
  ({ metadata }) =>
    Object.assign(metadata.annotations, { [key]: value });

function canonicalAfter(...edits: readonly Edit[]): string {
  const copy = structuredClone(sample);
  for (const edit of edits) edit(copy);
  return canonicalTemplate(copy as unknown as TemplateSnapshot);
}

describe("in: a change of", () => {
  test.for<{ field: string; edit: Edit }>([
    { field: "image", edit: app({ image: "registry.example/shop/app:1.1.0" }) },
    { field: "command", edit: app({ command: ["serve"] }) },
    { field: "args", edit: app({ args: [] }) },
    { field: "ports", edit: app({ ports: [{ containerPort: 81 }, { containerPort: 80 }] }) },
    { field: "env", edit: app({ env: [{ name: "A", value: "2" }] }) },
    {
      field: "the order of envFrom",
      edit: ({ spec }) => ((spec.containers[0] as Fields)["envFrom"] as unknown[]).reverse(),
    },
    { field: "the order of env", edit: ({ spec }) => ((spec.containers[0] as Fields)["env"] as unknown[]).reverse() },
    { field: "envFrom", edit: app({ envFrom: [{ configMapRef: { name: "one" } }] }) },
    { field: "volumes", edit: ({ spec }) => (spec["volumes"] = [{ name: "data", emptyDir: { medium: "Memory" } }]) },
    { field: "volume mounts", edit: app({ volumeMounts: [{ name: "data", mountPath: "/other" }] }) },
    { field: "resources", edit: app({ resources: { limits: { cpu: "2" } } }) },
    { field: "the security context", edit: app({ securityContext: { capabilities: { add: ["NET_ADMIN"] } } }) },
    { field: "probes", edit: app({ readinessProbe: { httpGet: { path: "/ready", port: 80 } } }) },
    { field: "lifecycle", edit: app({ lifecycle: {} }) },
    { field: "the order of init containers", edit: ({ spec }) => spec.initContainers.reverse() },
    {
      field: "an init container",
      edit: ({ spec }) => Object.assign(spec.initContainers[0] as Fields, { image: "a:2" }),
    },
    { field: "a host name", edit: ({ spec }) => ((spec.hostAliases[1] as Fields)["hostnames"] = ["d"]) },
    { field: "the network of the host", edit: ({ spec }) => (spec["hostNetwork"] = true) },
    { field: "host aliases", edit: ({ spec }) => spec.hostAliases.pop() },
    { field: "networks", edit: annotate("k8s.v1.cni.cncf.io/networks", "a") },
    { field: "restart policy", edit: ({ spec }) => (spec["restartPolicy"] = "Never") },
    { field: "a configuration digest in an annotation", edit: annotate("checksum/config") },
    { field: "labels", edit: ({ metadata }) => Object.assign(metadata.labels, { tier: "back" }) },
  ])("$field", ({ edit }) => {
    expect(canonicalAfter(edit)).not.toBe(canonicalAfter());
  });
});

describe("out: a change of", () => {
  test.for<{ field: string; edit: Edit; before?: Edit }>([
    { field: "restartedAt", edit: annotate("kubectl.kubernetes.io/restartedAt") },
    { field: "an annotation of Pawl", edit: annotate("pawl.dev/execution") },
    { field: "the change cause", edit: annotate("kubernetes.io/change-cause") },
    { field: "last-digest", edit: annotate("image-updater.eznix86.github.io/last-digest") },
    {
      field: "the label of a revision",
      edit: ({ metadata }) => Object.assign(metadata.labels, { "pod-template-hash": "1" }),
    },
    { field: "the creation time", edit: ({ metadata }) => Object.assign(metadata, { creationTimestamp: null }) },
    { field: "the directive of a ControllerRevision", edit: (it) => Object.assign(it, { $patch: "replace" }) },
    {
      field: "the order of keys",
      edit: ({ spec }) =>
        spec.containers.splice(0, 1, Object.fromEntries(Object.entries(spec.containers[0] as Fields).toReversed())),
    },
    { field: "the order of host aliases", edit: ({ spec }) => spec.hostAliases.reverse() },
    {
      field: "the order of host names",
      edit: ({ spec }) => ((spec.hostAliases[0] as Fields)["hostnames"] as unknown[]).reverse(),
    },
    {
      field: "the order of equal host aliases",
      edit: ({ spec }) => spec.hostAliases.push(spec.hostAliases[0] as Fields),
      before: ({ spec }) => spec.hostAliases.unshift(spec.hostAliases[0] as Fields),
    },
    {
      field: "the order of capabilities",
      edit: app({ securityContext: { capabilities: { add: ["SYS_TIME", "NET_ADMIN"], drop: ["ALL"] } } }),
    },
    {
      field: "the order of networks",
      edit: annotate("k8s.v1.cni.cncf.io/networks", "b, a"),
      before: annotate("k8s.v1.cni.cncf.io/networks", "a,b"),
    },
    { field: "an empty field to none", edit: ({ spec }) => (spec["securityContext"] = {}) },
    { field: "a field without a value", edit: ({ spec }) => (spec["nodeName"] = null) },
    { field: "an empty list to none", edit: ({ spec }) => (spec["imagePullSecrets"] = []) },
  ])("$field", ({ edit, before = () => {} }) => {
    expect(canonicalAfter(edit)).toBe(canonicalAfter(before));
  });

  test("networks in their long form keep their order", () => {
    const set = (text: string) => canonicalAfter(annotate("k8s.v1.cni.cncf.io/networks", text));
    expect(set('[{"name":"b"},{"name":"a"}]')).not.toBe(set('[{"name":"a"},{"name":"b"}]'));
  });
});

test("a template without metadata has a form", () => {
  expect(canonicalTemplate({ spec: { containers: [] } })).toBe('{"metadata":{},"spec":{}}');
});
