import { secondsAfter } from "../../../../functions/domain/text/rfc3339.ts";
import { Conflict, Forbidden } from "../../../../functions/ports/errors.ts";
import { createExpiringCache } from "../../../../functions/adapters/expiring-cache.ts";
import type { ConnectionSource } from "../../../../functions/adapters/aws/secrets-manager/reconnecting.ts";
import type { AtMoment } from "../../../support/fake-cluster.ts";
import { noon } from "../../../support/workloads.ts";

/** The cluster rejects the credentials (401). */
export const unauthorized = () => new Forbidden("who?", { cause: Object.assign(new Error("no"), { code: 401 }) });

/** The cluster accepts the credentials and denies the request (403). */
export const forbidden = () => new Forbidden("you may not", { cause: Object.assign(new Error("no"), { code: 403 }) });

/** Errors after which a call fails, and how often the secret is read for them. */
export const errors = [
  { when: "the cluster rejects the credentials", error: unauthorized, reads: 2 },
  { when: "the cluster denies the request", error: forbidden, reads: 1 },
  { when: "another error occurs", error: () => new Conflict("no"), reads: 1 },
];

interface Options<Port> {
  /** Returns the kubeconfig that the cluster accepts. */
  readonly valid: () => string;
  readonly error?: () => Error;
  readonly port: (atMoment: AtMoment) => Port;
}

/** Creates a secret that contains the kubeconfig "old" until it is rotated, and a cluster that accepts only `valid()`. */
export function createRotation<Port>({ valid, error = unauthorized, port }: Options<Port>) {
  let [text, time] = ["old", noon];
  const kubeconfigs: string[] = [];
  let reads = 0;
  const secret = createExpiringCache(
    async () => {
      reads += 1;
      return { value: text, expiresAt: secondsAfter(time, 300) };
    },
    () => time,
  );
  function open(kubeconfig: string): Port {
    kubeconfigs.push(kubeconfig);
    return port((moment) => {
      if (moment.startsWith("before ") && kubeconfig !== valid()) throw error();
    });
  }
  return {
    source: { secret, open } satisfies ConnectionSource<Port>,
    /** Every kubeconfig that a port was opened with. */
    kubeconfigs,
    reads: () => reads,
    rotate: (next: string) => void (text = next),
    pass: (seconds: number) => void (time = secondsAfter(time, seconds)),
  };
}

interface Rotation {
  readonly kubeconfigs: readonly string[];
  readonly reads: () => number;
  readonly rotate: (next: string) => void;
  readonly pass: (seconds: number) => void;
}

/**
 * Calls a port twice, and a third time after its kubeconfig was rotated, each time with an expired secret. Returns the kubeconfigs of
 * its ports, and the number of reads of the secret, after the second and the third call.
 */
export async function callsAcrossRotation(
  open: (valid: () => string) => Promise<readonly [rotation: Rotation, call: () => Promise<unknown>]>,
): Promise<readonly unknown[]> {
  let valid = "old";
  const [{ kubeconfigs, reads, rotate, pass }, call] = await open(() => valid);
  await call();
  pass(400);
  await call();
  const before = { kubeconfigs: [...kubeconfigs], reads: reads() };
  rotate("new");
  valid = "new";
  pass(400);
  await call();
  return [before, { kubeconfigs, reads: reads() }];
}

/** One port is opened per kubeconfig. */
export const onePerKubeconfig = [
  { kubeconfigs: ["old"], reads: 2 },
  { kubeconfigs: ["old", "new"], reads: 3 },
];
