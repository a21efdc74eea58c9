import { expect, test } from "vitest";
import type { NodePoolSpec, NodePoolStatus } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { findPreviousImage } from "../../../../functions/domain/node-pool/halt/rollback.ts";
import { lastPoolRequest } from "../../../../functions/domain/node-pool/waves/request.ts";
import { computePoolStatus } from "../../../../functions/domain/node-pool/pool/status.ts";
import { after } from "../../../support/workloads.ts";
import { digestB, imageA, imageB, member, pool, poolState, staged, updated } from "../pools.ts";

const steps = [
  { kind: "nodes", nodes: { unit: "nodes", amount: 1 }, soakSeconds: 600 },
  { kind: "pause", seconds: null },
] as const;
const nodes = [member("w1", updated), member("w2", staged)];
const begun = [member("w1", staged), member("w2", staged)];
const at = (step: number, since: Date | null = null) => ({ digest: digestB, step, since });

const isAborted = { abortedDigests: [digestB], failedDigests: [digestB] };

interface Given {
  readonly progress?: NodePoolStatus["progress"];
  readonly spec?: Partial<NodePoolSpec>;
  readonly status?: Partial<NodePoolStatus>;
}

const ask = (request: string, { progress = null, spec = {}, status = {} }: Given, of = nodes) =>
  poolState(of, { pool: pool({ steps, ...spec }, { request, status: { ...status, progress } }) });

test.for([
  { request: "promote t-1", given: { progress: at(1, after(-1)) }, to: at(2, after(0)), slots: 0 },
  { request: "promote t-1", given: { progress: at(2, after(-1)) }, to: at(3), slots: 1 },
  { request: "promote full t-1", given: { progress: at(1) }, to: at(3), slots: 1 },
  { request: "abort t-1", given: { progress: at(2, after(-1)) }, to: at(2, after(-1)), slots: 0 },
  { request: "abort t-1", given: { spec: { steps: [] } }, to: null, slots: 0 },
  { request: "retry t-1\nmessage fixed", given: { status: isAborted }, to: at(1, after(0)), slots: 0 },
])("$request at $given.progress continues at $to", ({ request, given, to, slots }) => {
  const state = ask(request, given);
  expect(state.pool.status.progress).toEqual(to);
  expect(state.slotRecipients.size).toBe(slots);
  const [answer] = state.pool.status.conditions;
  expect(answer).toMatchObject({ type: "RequestHandled", reason: "Handled", message: expect.stringMatching(/^t-1 /) });
  // Another round does not handle it again, and the condition outlives the annotation.
  const { conditions } = computePoolStatus(poolState(nodes, { pool: state.pool }), null);
  expect(conditions).toContainEqual(answer);
  expect(poolState(nodes, { pool: state.pool }).pool.status.progress).toEqual(to);
  const { request: _, ...removed } = state.pool;
  expect(computePoolStatus(poolState(nodes, { pool: removed }), null).conditions).toContainEqual(answer);
});

const refused: readonly { request: string; given: Given; reason: string; of?: typeof nodes }[] = [
  { request: "promote t-1", given: { progress: at(1) }, of: begun, reason: "it waits at no step" },
  { request: "promote t-1", given: { spec: { steps: [] } }, reason: "it waits at no step" },
  { request: "promote full t-1", given: { progress: at(3) }, reason: "no step is left" },
  { request: "promote full t-1", given: { spec: { steps: [] } }, reason: "no step is left" },
  { request: "promote full t-1", given: { progress: at(1), status: isAborted }, reason: "no step is left" },
  { request: "abort t-1", given: { progress: at(1), status: isAborted }, reason: "it goes back already" },
  { request: "abort t-1", given: { status: { deployedDigest: digestB } }, reason: "no rollout is in progress" },
  { request: "abort t-1", given: { status: { rollbackImage: null } }, reason: "no image before is known to be good" },
  { request: "retry t-1", given: { progress: at(2, after(-1)) }, reason: "no rollout was aborted" },
  { request: "promote t-1", given: { progress: at(1, after(-11)) }, reason: "step 1 is over, and it is at step 2/2" },
  { request: "push 1.2.0 t-1", given: {}, reason: "not a request; use promote [full], abort or retry" },
  { request: "t-1", given: {}, reason: "not a request" },
  {
    request: "promote t-1",
    given: { spec: { imageRef: "quay.io/example/myos:v2" }, status: { targetDigest: null } },
    reason: "its image is not resolved yet",
  },
];

test.for(refused)("$request is refused: $reason", ({ request, given, reason, of = nodes }) => {
  const { pool: answered } = ask(request, given, of);
  expect(answered.status.progress?.step).toBe(ask("", given, of).pool.status.progress?.step);
  const [condition] = answered.status.conditions;
  expect(condition).toMatchObject({ type: "RequestHandled", status: "True", reason: "Refused" });
  expect(condition?.message).toContain(`t-1 refused: ${reason}`);
  expect(lastPoolRequest(answered)).toMatchObject({ token: "t-1", result: expect.stringContaining(reason) });
});

test("an aborted image is no image to go back to, until it is tried again", () => {
  const aborted = ask("abort t-1", { progress: at(1) }).pool;
  expect(aborted.status).toMatchObject(isAborted);
  const next = pool({ steps, imageRef: imageB.replace(/b{64}/, "c".repeat(64)) }, { status: aborted.status });
  expect(
    findPreviousImage({ ...next, status: { ...next.status, lastKnownGoodImage: imageB } }, next.spec.imageRef),
  ).toBe(imageA);
  const retried = poolState(nodes, { pool: { ...aborted, request: "retry t-2" } }).pool;
  expect(retried.status).toMatchObject({ failedDigests: [], abortedDigests: [] });
});

test("while the configuration has problems, steps are kept and no request is handled", () => {
  const broken = pool(
    { steps: [] },
    { request: "abort t-1", problems: ["spec.steps: x"], status: { progress: at(2) } },
  );
  expect(poolState(nodes, { pool: broken }).pool.status).toMatchObject({ progress: at(2), conditions: [] });
});

test("the newest request replaces the condition of the one before", () => {
  const first = ask("abort t-1", {}).pool;
  const second = poolState(nodes, { pool: { ...first, request: "retry t-2" } }).pool;
  expect(second.status.conditions).toHaveLength(1);
  expect(lastPoolRequest(second)?.token).toBe("t-2");
  expect(lastPoolRequest(pool())).toBeNull();
});

test("an aborted image is rolled back, also with onHalt Hold, and said to be aborted", () => {
  const state = ask("abort t-1", { progress: at(1) });
  expect(state).toMatchObject({ desired: { image: imageA }, failedDigest: digestB });
  const { conditions } = computePoolStatus(state, null);
  expect(conditions).toContainEqual(
    expect.objectContaining({ reason: "RolledBack", message: expect.stringContaining(`${digestB} was aborted`) }),
  );
  const next = pool({ steps, imageRef: imageB.replace(/b{64}/, "c".repeat(64)) }, { status: state.pool.status });
  const moved = poolState(nodes, { pool: next });
  expect(moved.failedDigest).toBeNull();
  const back = pool({ steps }, { status: computePoolStatus(moved, null) });
  expect(poolState(nodes, { pool: back })).toMatchObject({ desired: { image: imageA }, failedDigest: digestB });
});

test.for([
  { onHalt: "Hold", status: { abortedDigests: [digestB] }, slots: 0 },
  { onHalt: "Rollback", status: { failedDigests: [digestB] }, slots: 0 },
  { onHalt: "Hold", status: { failedDigests: [digestB] }, slots: 1 },
] as const)(
  "with $onHalt and $status, $slots nodes take an image that nothing replaces",
  ({ onHalt, status, slots }) => {
    const state = poolState(begun, { pool: pool({ onHalt }, { status: { ...status, rollbackImage: null } }) });
    expect(state.slotRecipients.size).toBe(slots);
    const reason = `${digestB} has failed or was aborted, and no image before is known to be good; name another one in spec.image.ref`;
    expect(state.noSlotReason).toBe(slots === 0 ? reason : null);
  },
);
