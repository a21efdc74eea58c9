import { AppsV1Api, CoreV1Api, KubernetesObjectApi, PatchStrategy } from "@kubernetes/client-node";
import { annotations, imageUpdaterAnnotations } from "../../../functions/domain/workload/policy/annotations.ts";
import type { Environment } from "../../../functions/runtime/settings.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type ClusterHarness, openClusterHarness, waitUntilReady } from "../harness.ts";
import { startIsolatedPawl } from "../isolated-pawl.ts";
import type { Suite } from "../suite.ts";

type Kind = "Deployment" | "StatefulSet" | "DaemonSet";

/** A harness with a Pawl of its own, which polls only if `poll` is called. */
export interface DigestHarness extends ClusterHarness {
  readonly image: string;
  /** Creates a workload that tracks digests, with two replicas of `image`. Waits until they are ready. */
  createTracked(kind: Kind, options?: TrackedOptions): Promise<void>;
  /** Sets the health timeout: short for what must fail; what must succeed may take its time on a busy machine. */
  setHealthTimeout(kind: Kind, timeout: string): Promise<void>;
  /** Polls `polls` times in parallel, and waits until no execution runs. Returns the number of executions that started. */
  poll(polls?: number): Promise<number>;
  /** Returns the digest of each ready pod, and `unready` for each other pod. */
  runningDigests(): Promise<readonly string[]>;
  /** Returns the messages of the Events with this reason. */
  messagesOf(reason: string): Promise<readonly string[]>;
  template(kind: Kind): Promise<Template>;
  remove(): Promise<void>;
  close(): Promise<void>;
}

interface TrackedOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly imagePullPolicy?: "Always" | "IfNotPresent";
  /** More fields of its container. */
  readonly container?: object;
}

interface Template {
  readonly restartedAt: string | undefined;
  readonly image: string | undefined;
  readonly imagePullPolicy: string | undefined;
}

export const name = "web";

export async function openDigestHarness(
  suite: Suite,
  { tag = "prod", repository = `shop/${crypto.randomUUID()}`, environment = {} }: Partial<DigestHarnessOptions> = {},
): Promise<DigestHarness> {
  const { registry } = suite;
  const harness = await openClusterHarness(suite);
  const { namespace, kubeConfig } = harness;
  const image = `${registry.host}/${repository}:${tag}`;
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  let startedExecutions = 0;
  const pawl = await startIsolatedPawl({
    namespace,
    registry,
    environment,
    onStateChange: ({ type }) => void (type === "ExecutionStarted" && (startedExecutions += 1)),
  });
  const runningDigests = async () => {
    const { items } = await core.listNamespacedPod({ namespace });
    return items
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .map(({ status }) => {
        const [container] = status?.containerStatuses ?? [];
        return container?.ready ? container.imageID.replace(/^.*@/, "") : "unready";
      });
  };
  return {
    ...harness,
    image,
    runningDigests,
    async createTracked(kind, options = {}) {
      await KubernetesObjectApi.makeApiClient(kubeConfig).create(trackedWorkload(kind, namespace, image, options));
      // What its status says of them counts too: none may look unavailable before an update.
      await waitUntilReady(kubeConfig, namespace, kind, name);
    },
    async setHealthTimeout(kind, timeout) {
      const metadata = { name, namespace, annotations: { [annotations.healthTimeout]: timeout } };
      const object = { apiVersion: "apps/v1", kind, metadata };
      const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
      await objects.patch(object, undefined, undefined, undefined, undefined, PatchStrategy.MergePatch);
    },
    async poll(polls = 1) {
      const before = startedExecutions;
      const reports = await Promise.all(Array.from({ length: polls }, () => pawl.poll()));
      const failed = reports.flatMap((report) => report.failed);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
      await eventually("every started execution ends", async () => pawl.running() === 0);
      return startedExecutions - before;
    },
    async messagesOf(reason) {
      const { items } = await core.listNamespacedEvent({ namespace });
      return items.filter((event) => event.reason === reason).map(({ message }) => message ?? "");
    },
    async template(kind) {
      const request = { name, namespace };
      const readers = {
        Deployment: () => apps.readNamespacedDeployment(request),
        StatefulSet: () => apps.readNamespacedStatefulSet(request),
        DaemonSet: () => apps.readNamespacedDaemonSet(request),
      };
      const { spec } = await readers[kind]();
      const [container] = spec?.template.spec?.containers ?? [];
      const restartedAt = spec?.template.metadata?.annotations?.["kubectl.kubernetes.io/restartedAt"];
      return { restartedAt, image: container?.image, imagePullPolicy: container?.imagePullPolicy };
    },
    async remove() {
      await apps.deleteNamespacedDeployment({ name, namespace });
    },
    close: () => pawl.close(),
  };
}

interface DigestHarnessOptions {
  readonly tag: string;
  readonly repository: string;
  readonly environment: Environment;
}

function trackedWorkload(kind: Kind, namespace: string, image: string, options: TrackedOptions) {
  const { imagePullPolicy = "Always", annotations: ownAnnotations = {}, finalizers, container = {} } = options;
  const labels = { app: name };
  const policy = { [imageUpdaterAnnotations.enabled]: "true", [annotations.healthTimeout]: "1h" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: {
      name,
      namespace,
      annotations: { ...policy, ...ownAnnotations },
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
    },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 2 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image, imagePullPolicy, ...container }] } },
    },
  };
}
