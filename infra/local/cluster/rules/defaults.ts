import { isFields, type Draft, type Fields } from "../objects.ts";
import { deployments, daemonSets, namespaces, nodes, pods, statefulSets, type Resource } from "../resources.ts";
import { withSchemaDefaults } from "./schema-defaults.ts";

/** What a server of 1.20 fills in where the sender left it out; as much of it as a workload's rollout depends on. */
export function withDefaults(resource: Resource, draft: Draft): Draft {
  const spec = isFields(draft["spec"]) ? draft["spec"] : {};
  switch (resource) {
    case deployments:
      return {
        ...draft,
        spec: workload({ replicas: 1, progressDeadlineSeconds: 600, ...spec }, "strategy", deployment),
      };
    case statefulSets:
      return {
        ...draft,
        spec: workload(
          { replicas: 1, serviceName: "", podManagementPolicy: "OrderedReady", ...spec },
          "updateStrategy",
          { partition: 0 },
        ),
      };
    case daemonSets:
      return { ...draft, spec: workload(spec, "updateStrategy", { maxUnavailable: 1 }) };
    case pods:
      return { ...draft, spec: podSpec(spec) };
    case nodes:
      return { ...draft, spec: nodeSpec(spec) };
    case namespaces:
      return { ...draft, spec: { finalizers: ["kubernetes"], ...spec } };
    default:
      return resource.schema ? (withSchemaDefaults(resource.schema, draft) as Draft) : draft;
  }
}

const deployment = { maxUnavailable: "25%", maxSurge: "25%" };

function workload(spec: Fields, strategyField: string, rollingUpdate: Fields): Fields {
  const sent = isFields(spec[strategyField]) ? spec[strategyField] : {};
  const strategy: Fields = { type: "RollingUpdate", ...sent };
  const given = isFields(strategy["rollingUpdate"]) ? strategy["rollingUpdate"] : {};
  const rolling = strategy["type"] === "RollingUpdate" ? { rollingUpdate: { ...rollingUpdate, ...given } } : {};
  const template: Fields = isFields(spec["template"]) ? spec["template"] : {};
  const inner = isFields(template["spec"]) ? template["spec"] : {};
  return {
    revisionHistoryLimit: 10,
    ...spec,
    template: { ...template, spec: podSpec(inner) },
    [strategyField]: { ...strategy, ...rolling },
  };
}

const cordoned = { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" };

/** The taint that the node lifecycle controller adds and takes away a moment later comes here with the write itself. */
function nodeSpec({ taints: sent, ...spec }: Fields): Fields {
  const others = (Array.isArray(sent) ? (sent as Fields[]) : []).filter(({ key }) => key !== cordoned.key);
  const taints = spec["unschedulable"] === true ? [...others, cordoned] : others;
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
  const floats = !/[:@][^/]*$/.test(image) || image.endsWith(":latest");
  return {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: floats ? "Always" : "IfNotPresent",
    ...sent,
    ...(Array.isArray(sent["ports"]) && { ports: (sent["ports"] as Fields[]).map(port) }),
  };
}

function port(sent: Fields): Fields {
  return { protocol: "TCP", ...sent };
}
