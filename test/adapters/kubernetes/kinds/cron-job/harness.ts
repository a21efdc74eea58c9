import type { Change } from "../../../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../../../functions/domain/workload/workload.ts";
import type { Cluster } from "../../../../../functions/ports/cluster.ts";
import { cronJob, type CronJobParts } from "../../../../support/workloads/cron-jobs.ts";
import { openHarness } from "../../../../contracts/cluster/harness.ts";
import { startCluster } from "../../embedded-cluster.ts";
import { listAll } from "../../api/scripted-server.ts";

export interface PodSpec {
  readonly containers: readonly { readonly name: string; readonly image: string; readonly env?: object }[];
  readonly initContainers: readonly { readonly name: string; readonly image: string }[];
}

/** An embedded cluster with CronJobs in a namespace of their own. */
export interface CronJobHarness {
  readonly url: string;
  readonly cluster: Cluster;
  readonly namespace: string;
  make(name: string, image: string, parts?: CronJobParts): Promise<void>;
  /** Returns the workload of this name from a list. */
  find(name: string): Promise<Workload | undefined>;
  /** Reads, decides and writes as a step does. */
  change(name: string, decide: (workload: Workload) => Change): Promise<Workload>;
  podOf(name: string): Promise<PodSpec>;
  annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void>;
  close(): Promise<void>;
}

export async function openCronJobs(): Promise<CronJobHarness> {
  const { url, kubeConfig, close } = await startCluster();
  const { cluster, namespace, request } = await openHarness(kubeConfig);
  const collection = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
  const find = async (name: string) => (await listAll(cluster)).find(({ ref }) => ref.name === name);
  const found = async (name: string) => {
    const workload = await find(name);
    if (workload === undefined) throw new Error(`no CronJob ${name} with Pawl enabled`);
    return workload;
  };
  return {
    url,
    cluster,
    namespace,
    find,
    close,
    async make(name, image, parts) {
      const { code, text } = await request("POST", collection, { body: cronJob(name, image, parts) });
      if (code !== 201) throw new Error(text);
    },
    async change(name, decide) {
      const workload = await found(name);
      await cluster.change(workload, decide(workload));
      return (await cluster.read(workload.ref)) as Workload;
    },
    async podOf(name) {
      const { body } = await request("GET", `${collection}/${name}`);
      return body.spec?.["jobTemplate"]?.["spec"]?.["template"]?.["spec"] as unknown as PodSpec;
    },
    async annotate(name, annotations) {
      const contentType = "application/merge-patch+json";
      await request("PATCH", `${collection}/${name}`, { body: { metadata: { annotations } }, contentType });
    },
  };
}
