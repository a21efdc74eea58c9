import { Conflict, Forbidden } from "../../../functions/adapters/errors.ts";
import { renewed, secondsAfter } from "../../../functions/adapters/renewed.ts";
import type { Source } from "../../../functions/adapters/secrets/renewing.ts";
import type { AtMoment } from "../../support/fake-cluster.ts";
import { noon } from "../../support/workloads.ts";

/** The cluster does not know who asks. */
export const unauthorized = () => new Forbidden("who?", { cause: Object.assign(new Error("no"), { code: 401 }) });

/** It knows and does not allow it. */
export const forbidden = () => new Forbidden("you may not", { cause: Object.assign(new Error("no"), { code: 403 }) });

/** Errors of a call that is not to be done again, and how often the secret is read for them. */
export const refusals = [
  { why: "the cluster does not know who asks", refusal: unauthorized, reads: 2 },
  { why: "the cluster does not allow it", refusal: forbidden, reads: 1 },
  { why: "something else is wrong", refusal: () => new Conflict("no"), reads: 1 },
];

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

interface Rotation {
  readonly opened: readonly string[];
  readonly reads: () => number;
  readonly rotate: (next: string) => void;
  readonly pass: (seconds: number) => void;
}

/**
 * Two calls of a port, and a third after its kubeconfig was rotated, each after the secret is to be read again. Returns with what
 * ports were opened, and how often the secret was read, after the second and the third.
 */
export async function callsAcrossRotation(
  open: (valid: () => string) => readonly [rotation: Rotation, call: () => Promise<unknown>],
): Promise<readonly unknown[]> {
  let valid = "old";
  const [{ opened, reads, rotate, pass }, call] = open(() => valid);
  await call();
  pass(400);
  await call();
  const before = { opened: [...opened], reads: reads() };
  rotate("new");
  valid = "new";
  pass(400);
  await call();
  return [before, { opened, reads: reads() }];
}

/** One port is opened per kubeconfig. */
export const onePerKubeconfig = [
  { opened: ["old"], reads: 2 },
  { opened: ["old", "new"], reads: 3 },
];
