import { AppsV1Api, CoreV1Api, KubernetesObjectApi } from "@kubernetes/client-node";
import { annotations, imageUpdaterAnnotations } from "../../functions/domain/annotations.ts";
import type { Environment } from "../../functions/settings.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { type Lab, openLab } from "./lab.ts";
import { startOwnPawl } from "./own-pawl.ts";
import type { Suite } from "./suite.ts";

type Kind = "Deployment" | "StatefulSet" | "DaemonSet";

/** A lab with a Pawl of its own, which polls when it is told to. */
export interface DigestLab extends Lab {
  readonly image: string;
  /** Followed by digest: two replicas of `image`; they are there and ready when this resolves, unless it is `isBroken`. */
  follow(kind: Kind, own?: Followed): Promise<void>;
  /** Polls, so many times at once, and waits until all that was started has ended; gives how many executions that were. */
  look(polls?: number): Promise<number>;
  /** The digests that ready pods report; one that is not ready reports `unready`. */
  running(): Promise<readonly string[]>;
  /** Messages of the Events of Pawl of one reason. */
  messagesOf(reason: string): Promise<readonly string[]>;
  template(kind: Kind): Promise<Template>;
  remove(): Promise<void>;
  close(): Promise<void>;
}

interface Followed {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly imagePullPolicy?: "Always" | "IfNotPresent";
  readonly isBroken?: boolean;
}

interface Template {
  readonly restartedAt: string | undefined;
  readonly image: string | undefined;
  readonly imagePullPolicy: string | undefined;
}

export const name = "web";

export async function openDigestLab(
  suite: Suite,
  { tag = "prod", repository = `shop/${crypto.randomUUID()}`, environment = {} }: Partial<Opening> = {},
): Promise<DigestLab> {
  const { registry } = suite;
  const lab = await openLab(suite);
  const { namespace, kubeConfig } = lab;
  const image = `${registry.host}/${repository}:${tag}`;
  const core = kubeConfig.makeApiClient(CoreV1Api);
  const apps = kubeConfig.makeApiClient(AppsV1Api);
  let started = 0;
  const pawl = await startOwnPawl({
    namespace,
    registry,
    environment,
    onStateChange: ({ type }) => void (type === "ExecutionStarted" && (started += 1)),
  });
  const running = async () => {
    const { items } = await core.listNamespacedPod({ namespace });
    return items
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .map(({ status }) => {
        const [container] = status?.containerStatuses ?? [];
        return container?.ready ? container.imageID.replace(/^.*@/, "") : "unready";
      });
  };
  return {
    ...lab,
    image,
    running,
    async follow(kind, own = {}) {
      await KubernetesObjectApi.makeApiClient(kubeConfig).create(followed(kind, namespace, image, own));
      if (own.isBroken) return;
      await eventually("its pods are ready", async () => {
        const found = await running();
        return found.length === 2 && !found.includes("unready");
      });
    },
    async look(polls = 1) {
      const before = started;
      const reports = await Promise.all(Array.from({ length: polls }, () => pawl.poll()));
      const failed = reports.flatMap((report) => report.failed);
      if (failed.length > 0) throw new Error(JSON.stringify(failed));
      await eventually("what was started has ended", async () => pawl.running() === 0);
      return started - before;
    },
    async messagesOf(reason) {
      const { items } = await core.listNamespacedEvent({ namespace });
      return items.filter((event) => event.reason === reason).map(({ message }) => message ?? "");
    },
    async template(kind) {
      const read = { name, namespace };
      const readers = {
        Deployment: () => apps.readNamespacedDeployment(read),
        StatefulSet: () => apps.readNamespacedStatefulSet(read),
        DaemonSet: () => apps.readNamespacedDaemonSet(read),
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

interface Opening {
  readonly tag: string;
  readonly repository: string;
  readonly environment: Environment;
}

function followed(kind: Kind, namespace: string, image: string, own: Followed) {
  const { imagePullPolicy = "Always", annotations: more = {}, finalizers } = own;
  const labels = { app: name };
  const policy = { [imageUpdaterAnnotations.enabled]: "true", [annotations.healthTimeout]: "1m" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: {
      name,
      namespace,
      annotations: { ...policy, ...more },
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
    },
    spec: {
      ...(kind === "DaemonSet" ? {} : { replicas: 2 }),
      ...(kind === "StatefulSet" ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image, imagePullPolicy }] } },
    },
  };
}
