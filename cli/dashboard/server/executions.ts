import type { KubeConfig } from "@kubernetes/client-node";
import { createKubernetesApi } from "../../../functions/adapters/kubernetes/api.ts";
import { autoUpdateName } from "../../../functions/domain/workload/record/auto-update-name.ts";
import { type AutoUpdate, resource } from "../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";

/** Knows where the console of AWS shows the executions of an installation. */
export interface Executions {
  /** Returns the address of an execution of this workload, up to its name; null if it is not known. */
  urlOf(workload: Workload): Promise<string | null>;
  /** Called with each holder of a Lease or claim that was seen. */
  note(holder: string | null): void;
}

/** Reads the holder from the claim of an update; later ones are assumed to be of the same installation. */
export function createExecutions(kubeConfig: KubeConfig): Executions {
  const api = createKubernetesApi(kubeConfig);
  let url: string | null = null;

  function note(holder: string | null): void {
    url = executionsUrl(holder ?? "") ?? url;
  }

  return {
    note,
    async urlOf({ ref, inFlight }) {
      // Only a link: the page is shown without it.
      const object =
        inFlight === null
          ? null
          : await api.get<AutoUpdate>(resource, ref.namespace, autoUpdateName(ref)).catch(() => null);
      note(object?.status?.update?.holder ?? null);
      return url;
    },
  };
}

const consoles: Readonly<Record<string, string>> = {
  aws: "console.aws.amazon.com",
  "aws-cn": "console.amazonaws.cn",
  "aws-us-gov": "console.amazonaws-us-gov.com",
};

/** Returns the address of the executions of a state machine by its ARN, up to their names; null if it is none. */
export function executionsUrl(holder: string): string | null {
  const parsed = /^arn:([\w-]+):states:([\w-]+):(\d+):stateMachine:([\w-]+)$/.exec(holder);
  const [, partition = "", region, account, machine] = parsed ?? [];
  const host = consoles[partition];
  if (host === undefined) return null;
  const arn = `arn:${partition}:states:${region}:${account}:execution:${machine}:`;
  return `https://${region}.${host}/states/home?region=${region}#/v2/executions/details/${arn}`;
}
