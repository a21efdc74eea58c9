import { expect, test } from "vitest";
import { requestConditions } from "../../../../functions/domain/node-pool/pool/request-condition.ts";
import { pool } from "../pools.ts";

const refused = (token: string) => ({
  type: "RequestHandled",
  status: "True",
  reason: "Refused",
  message: `${token} refused: a node pool has no requests; set spec.rollout.paused or spec.image.ref`,
});

test("a request for a pool is refused, once for each token", () => {
  const [condition] = requestConditions({ ...pool(), request: "reset t-1" });
  expect(condition).toEqual(refused("t-1"));
  expect(requestConditions({ ...pool(), request: "reset t-1" })).toEqual([condition]);
  expect(requestConditions({ ...pool(), request: " push 1.2.0 t-2 " })).toEqual([refused("t-2")]);
});

test("the condition stays as it is after the annotation is removed", () => {
  const asked = pool();
  const conditions = requestConditions({ ...asked, request: "reset t-1" });
  const { request: _, ...removed } = { ...asked, request: "", status: { ...asked.status, conditions } };
  expect(requestConditions(removed)).toEqual(conditions);
  expect(requestConditions(asked)).toEqual([]);
});
