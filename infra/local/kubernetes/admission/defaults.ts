import { isFields, type KubeObjectInput, type Fields } from "../objects.ts";
import { deployments, daemonSets, namespaces, nodes, pods, statefulSets, type Resource } from "../resources.ts";

/** Applies the defaults of Kubernetes 1.20 that a workload's rollout depends on. */
export function withDefaults(resource: Resource, input: KubeObjectInput): KubeObjectInput {
  const spec = isFields(input["spec"]) ? input["spec"] : {};
  switch (resource) {
    case deployments:
      return {
        ...input,
        spec: workloadSpec({ replicas: 1, progressDeadlineSeconds: 600, ...spec }, "strategy", deploymentRollingUpdate),
      };
    case statefulSets:
      return {
        ...input,
        spec: workloadSpec(
          { replicas: 1, serviceName: "", podManagementPolicy: "OrderedReady", ...spec },
          "updateStrategy",
          { partition: 0 },
        ),
      };
    case daemonSets:
      return { ...input, spec: workloadSpec(spec, "updateStrategy", { maxUnavailable: 1 }) };
    case pods:
      return { ...input, spec: podSpec(spec) };
    case nodes:
      return { ...input, spec: nodeSpec(spec) };
    case namespaces:
      return { ...input, spec: { finalizers: ["kubernetes"], ...spec } };
    default:
      return resource.schema ? (withSchemaDefaults(resource.schema, input) as KubeObjectInput) : input;
  }
}

const deploymentRollingUpdate = { maxUnavailable: "25%", maxSurge: "25%" };

function workloadSpec(spec: Fields, strategyField: string, rollingUpdate: Fields): Fields {
  const sent = isFields(spec[strategyField]) ? spec[strategyField] : {};
  const strategy: Fields = { type: "RollingUpdate", ...sent };
  const rollingFields = isFields(strategy["rollingUpdate"]) ? strategy["rollingUpdate"] : {};
  const rolling = strategy["type"] === "RollingUpdate" ? { rollingUpdate: { ...rollingUpdate, ...rollingFields } } : {};
  const template: Fields = isFields(spec["template"]) ? spec["template"] : {};
  const inner = isFields(template["spec"]) ? template["spec"] : {};
  return {
    revisionHistoryLimit: 10,
    ...spec,
    template: { ...template, spec: podSpec(inner) },
    [strategyField]: { ...strategy, ...rolling },
  };
}

const unschedulableTaint = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** Sets or removes the taint of unschedulable nodes at once; in Kubernetes the node lifecycle controller does it later. */
function nodeSpec({ taints: sent, ...spec }: Fields): Fields {
  const others = (Array.isArray(sent) ? (sent as Fields[]) : []).filter(({ key }) => key !== unschedulableTaint.key);
  const taints = spec["unschedulable"] === true ? [...others, unschedulableTaint] : others;
  return { ...spec, ...(taints.length > 0 && { taints }) };
}

function podSpec(spec: Fields): Fields {
  const lists = ["initContainers", "containers"].filter((list) => Array.isArray(spec[list]));
  return {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
    securityContext: {},
    ...spec,
    ...Object.fromEntries(lists.map((list) => [list, (spec[list] as readonly Fields[]).map(container)])),
  };
}

function container(sent: Fields): Fields {
  const image = typeof sent["image"] === "string" ? sent["image"] : "";
  const isFloatingTag = !/[:@]/.test(image.slice(image.lastIndexOf("/") + 1)) || image.endsWith(":latest");
  return {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: isFloatingTag ? "Always" : "IfNotPresent",
    ...sent,
    ...(Array.isArray(sent["ports"]) && { ports: (sent["ports"] as Fields[]).map(port) }),
  };
}

function port(sent: Fields): Fields {
  return { protocol: "TCP", ...sent };
}

/** Applies the defaults of a structural schema at any depth, but only inside objects that exist. */
function withSchemaDefaults(schema: Fields, value: unknown): unknown {
  const { properties, items } = schema;
  if (Array.isArray(value)) return isFields(items) ? value.map((item) => withSchemaDefaults(items, item)) : value;
  if (!isFields(value) || !isFields(properties)) return value;
  return {
    ...value,
    ...Object.fromEntries(Object.entries(properties).flatMap((one) => propertyWithDefault(one, value))),
  };
}

function propertyWithDefault(
  [name, schema]: readonly [string, unknown],
  owner: Fields,
): readonly (readonly [string, unknown])[] {
  if (!isFields(schema)) return [];
  const value = owner[name] ?? schema["default"];
  return value === undefined ? [] : [[name, withSchemaDefaults(schema, value)]];
}
