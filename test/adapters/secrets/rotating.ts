import { Forbidden } from "../../../functions/adapters/errors.ts";
import { renewed, secondsAfter } from "../../../functions/adapters/renewed.ts";
import type { Source } from "../../../functions/adapters/secrets/renewing.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { noon } from "../../support/workloads.ts";

/** The cluster does not know who asks. */
export const unauthorized = () => new Forbidden("who?", { cause: Object.assign(new Error("no"), { code: 401 }) });

/** It knows and does not allow it. */
export const forbidden = () => new Forbidden("you may not", { cause: Object.assign(new Error("no"), { code: 403 }) });

interface Options<Port> {
  /** The kubeconfig that the cluster knows by now. */
  readonly valid: () => string;
  readonly refusal?: () => Error;
  readonly port: (atMoment: AtMoment) => Port;
}

/** A kubeconfig in a secret that holds "old" until it is rotated, and a cluster that refuses all but `valid()`. */
export function rotating<Port>({ valid, refusal = unauthorized, port }: Options<Port>) {
  let [text, time] = ["old", noon];
  const opened: string[] = [];
  let reads = 0;
  const secret = renewed(
    async () => {
      reads += 1;
      return { value: text, usableUntil: secondsAfter(time, 300) };
    },
    () => time,
  );
  function open(kubeconfig: string): Port {
    opened.push(kubeconfig);
    return port((moment) => {
      if (moment.startsWith("before ") && kubeconfig !== valid()) throw refusal();
    });
  }
  return {
    source: { secret, open } satisfies Source<Port>,
    /** Every kubeconfig that a port was opened with. */
    opened,
    reads: () => reads,
    rotate: (next: string) => void (text = next),
    pass: (seconds: number) => void (time = secondsAfter(time, seconds)),
  };
}
