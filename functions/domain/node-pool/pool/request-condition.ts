import type { NodePool, PoolCondition } from "./node-pool.ts";

const maxTokenLength = 128;

/** Returns the condition that refuses a request; it stays if the annotation is removed. None without a request. */
export function requestConditions({ request, status }: NodePool): readonly PoolCondition[] {
  const token = request?.trim().split(/\s+/).at(-1)?.slice(0, maxTokenLength) ?? "";
  if (token === "") return status.conditions.filter(({ type }) => type === "RequestHandled");
  const message = `${token} refused: a node pool has no requests; set spec.rollout.paused or spec.image.ref`;
  return [{ type: "RequestHandled", status: "True", reason: "Refused", message }];
}
