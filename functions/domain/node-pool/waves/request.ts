import { findPreviousImage, withDigest } from "../halt/rollback.ts";
import { parseDigest } from "../node/node-state.ts";
import type { Membership } from "../pool/membership.ts";
import type { NodePool, PoolCondition } from "../pool/node-pool.ts";
import { computeRequestedImage, isGoingBack } from "../pool/target.ts";
import {
  formatRefusal,
  isRefused,
  parseRequest,
  type PersonRequest,
  type RequestAnswer,
} from "../../workload/request/person-request.ts";
import { computeProgress, computeWaveLimit, type Promotion } from "./progress.ts";
import type { WaveProgress } from "./waves.ts";

type Observed = Pick<Membership, "members" | "joining">;

interface Answer {
  readonly result: string;
  readonly promotion?: Promotion;
  readonly progress?: null;
  readonly failedDigests?: readonly string[];
  readonly abortedDigests?: readonly string[];
}

const usage = "use promote [full], abort or retry, and a token; or set spec.rollout.paused or spec.image.ref";

/** Returns the request that was handled last; null if none was. */
export function lastPoolRequest({ status }: Pick<NodePool, "status">): RequestAnswer | null {
  const handled = status.conditions.find(({ type }) => type === "RequestHandled");
  const [, token = "", result = ""] = /^(\S+) (.*)$/s.exec(handled?.message ?? "") ?? [];
  return token === "" ? null : { token, verb: "", result };
}

/** Returns the pool with the progress of its rollout, and the answer to a request of a person. A request is handled once. */
export function withProgress(pool: NodePool, membership: Observed, now: Date): NodePool {
  const { status } = pool;
  // What they say of its steps is unknown.
  if (pool.problems.length > 0) return pool;
  const current = withStatus(pool, { progress: computeProgress(pool, membership, now) });
  const request = parseRequest(pool.request, [lastPoolRequest(pool)?.token ?? ""]);
  if (request === null) return current;
  const { result, promotion = null, ...changed } = answerRequest(current, membership, request, status.progress);
  const asked = withStatus(current, changed);
  const progress = computeProgress(asked, membership, now, promotion);
  const reason = isRefused({ ...request, result }) ? "Refused" : "Handled";
  const message = `${request.token} ${result}`;
  const answer: PoolCondition = { type: "RequestHandled", status: "True", reason, message };
  const conditions = [...status.conditions.filter(({ type }) => type !== "RequestHandled"), answer];
  return withStatus(asked, { progress, conditions });
}

function withStatus(pool: NodePool, status: Partial<NodePool["status"]>): NodePool {
  return { ...pool, status: { ...pool.status, ...status } };
}

/** Returns how a request ends, and what it changes. */
function answerRequest(
  pool: NodePool,
  membership: Observed,
  { verb, argument }: PersonRequest,
  shown: WaveProgress | null,
): Answer {
  const refuse = (reason: string): Answer => ({ result: formatRefusal(reason) });
  const target = computeRequestedImage(pool);
  const digest = parseDigest(target ?? "");
  if (target === null || digest === null) return refuse("its image is not resolved yet");
  const isLeft = isGoingBack(pool);
  const { progress, deployedDigest, failedDigests, abortedDigests } = pool.status;
  const isOther = (one: string) => one !== digest;
  const { steps } = pool.spec;
  switch (argument === null ? verb : `${verb} ${argument}`) {
    case "promote":
      if (!computeWaveLimit(pool, membership).isPromotable) return refuse("it waits at no step; use promote full");
      // The person has seen the step before it, which has ended since.
      if (shown?.digest === digest && shown.step !== progress?.step)
        return refuse(`step ${shown.step} is over, and it is at step ${progress?.step}/${steps.length}`);
      return { result: `continues after step ${progress?.step}/${steps.length}`, promotion: "next" };
    case "promote full":
      if (progress === null || isLeft || progress.step > steps.length) return refuse("no step is left");
      return { result: "continues without further steps", promotion: "full" };
    case "abort":
      if (isLeft) return refuse("it goes back already");
      if (deployedDigest === digest) return refuse("no rollout is in progress");
      if (findPreviousImage(pool, target) === null)
        return refuse("no image before is known to be good; set spec.rollout.paused, or spec.image.ref");
      return {
        result: `${digest} is rolled back`,
        failedDigests: withDigest(failedDigests, digest),
        abortedDigests: withDigest(abortedDigests, digest),
      };
    case "retry":
      if (!abortedDigests.includes(digest)) return refuse("no rollout was aborted");
      return {
        result: `${digest} is tried again`,
        progress: null,
        failedDigests: failedDigests.filter(isOther),
        abortedDigests: abortedDigests.filter(isOther),
      };
    default:
      return refuse(`not a request; ${usage}`);
  }
}
