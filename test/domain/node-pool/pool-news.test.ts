import { describe, expect, test } from "vitest";
import { poolNews } from "../../../functions/domain/node-pool/pool-news.ts";
import { statusOf } from "../../../functions/domain/node-pool/status.ts";
import type { NodePoolStatus, PoolCondition } from "../../../functions/domain/node-pool/types.ts";
import { digestA, digestB, digestC, imageB, member, pool, tick, updated } from "./pools.ts";

type Status = Partial<NodePoolStatus>;

const message = "1/3 updated; 2 pending, 0 staging, 0 staged, 0 rebooting, 0 degraded";
const rolling: PoolCondition = { type: "UpToDate", status: "False", reason: "RolloutInProgress", message };
const paused: PoolCondition = { ...rolling, reason: "Paused" };
const allUpdated: PoolCondition = { type: "UpToDate", status: "True", reason: "AllUpdated", message: "" };

const settledOnA: Status = { targetDigest: digestA, nodeCount: 3, updatedCount: 3, conditions: [allUpdated] };
const rollingB: Status = { nodeCount: 3, updatedCount: 1, updatingCount: 2, conditions: [rolling] };
const pausedB: Status = { ...rollingB, conditions: [paused] };
const settledOnB: Status = { deployedDigest: digestB, nodeCount: 3, updatedCount: 3, conditions: [allUpdated] };
const neverSeen: Status = { targetDigest: null, targetRef: null, deployedDigest: null, conditions: [] };

function told(before: Status, after: Status, rest: Parameters<typeof pool>[1] = {}) {
  return poolNews(pool({}, { ...rest, status: before }), pool({}, { status: after }).status, "e-1");
}
const reasons = (before: Status, after: Status) => told(before, after).map(({ reason }) => reason);

describe("of a rollout", () => {
  test.for<{ when: string; before: Status; after: Status; news: string[] }>([
    {
      when: "there is another image",
      before: settledOnA,
      after: rollingB,
      news: ["ImageUpdateAvailable", "RolloutStarted"],
    },
    {
      when: "there is another and the pool is paused",
      before: settledOnA,
      after: pausedB,
      news: ["ImageUpdateAvailable"],
    },
    {
      when: "a paused pool goes on with nothing done yet",
      before: { ...pausedB, updatedCount: 0 },
      after: rollingB,
      news: ["RolloutStarted"],
    },
    { when: "a paused pool goes on in the middle", before: pausedB, after: rollingB, news: [] },
    { when: "one more node is done", before: rollingB, after: { ...rollingB, updatedCount: 2 }, news: [] },
    {
      when: "the image changes again",
      before: rollingB,
      after: { ...rollingB, targetDigest: digestC },
      news: ["ImageUpdateAvailable", "RolloutStarted"],
    },
    {
      when: "the rollout is called off",
      before: rollingB,
      after: { ...rollingB, targetDigest: digestA },
      news: ["RolloutStarted"],
    },
    {
      when: "the nodes are back on the former image",
      before: { ...rollingB, targetDigest: digestA },
      after: settledOnA,
      news: ["RolloutCompleted"],
    },
    { when: "the last node is done", before: rollingB, after: settledOnB, news: ["RolloutCompleted"] },
    { when: "the last node is done in a paused pool", before: pausedB, after: settledOnB, news: ["RolloutCompleted"] },
    { when: "a node joins", before: settledOnB, after: { ...settledOnB, ...rollingB }, news: [] },
    {
      when: "the node that joined is done",
      before: { ...settledOnB, ...rollingB },
      after: settledOnB,
      news: ["RolloutCompleted"],
    },
    {
      when: "an error on the target is gone",
      before: { ...settledOnB, degradedCount: 1, conditions: [rolling] },
      after: settledOnB,
      news: [],
    },
    {
      when: "the last node has left",
      before: rollingB,
      after: { ...settledOnB, nodeCount: 0, updatedCount: 0 },
      news: [],
    },
    { when: "the first image is known", before: neverSeen, after: { ...neverSeen, targetDigest: digestB }, news: [] },
    {
      when: "the first rollout begins",
      before: { ...neverSeen, targetDigest: digestB },
      after: { ...rollingB, deployedDigest: null },
      news: ["RolloutStarted"],
    },
    { when: "all run it at first sight", before: neverSeen, after: settledOnB, news: [] },
    {
      when: "a pool with another image is seen first",
      before: { ...neverSeen, deployedDigest: digestA },
      after: rollingB,
      news: ["ImageUpdateAvailable", "RolloutStarted"],
    },
    { when: "it is not known what to run", before: neverSeen, after: neverSeen, news: [] },
  ])("where $when: $news", ({ before, after, news }) => {
    expect(reasons(before, after)).toEqual(news);
  });

  test("nothing is told of a pool that is being deleted", () => {
    expect(told(rollingB, settledOnB, { isBeingDeleted: true })).toEqual([]);
  });

  test("each names the image, as briefly as people do, and the execution", () => {
    const short = "quay.io/example/myos@sha256:bbbbbbbbbbbb";
    const [available, started] = told(settledOnA, rollingB, { resourceVersion: "7" });
    const about = { type: "Normal", key: `7 ${digestB}`, execution: "e-1", image: imageB };
    expect(available).toEqual({
      ...about,
      event: "Node Pool Update Available",
      reason: "ImageUpdateAvailable",
      message: `${short} is available, sha256:aaaaaaaaaaaa is deployed (execution e-1)`,
    });
    expect(started?.message).toBe(`Rolling out ${short} to 3 nodes (execution e-1)`);
    const [completed] = told(rollingB, settledOnB);
    expect(completed?.message).toBe(`Rolled out ${short}: 3 of 3 nodes run it (execution e-1)`);
  });

  test("of a single node, and where nothing was deployed before", () => {
    const first = { ...rollingB, deployedDigest: null, nodeCount: 1 };
    const before = pool({}, { status: { ...first, targetDigest: digestA } });
    const messages = poolNews(before, pool({}, { status: first }).status, null).map((news) => news.message);
    const short = "quay.io/example/myos@sha256:bbbbbbbbbbbb";
    expect(messages).toEqual([`${short} is available`, `Rolling out ${short} to 1 node`]);
  });
});

describe("of a pool's health", () => {
  const healthy: PoolCondition = { type: "Degraded", status: "False", reason: "Healthy", message: "" };
  const degraded: PoolCondition = {
    type: "Degraded",
    status: "True",
    reason: "NodeDegraded",
    message: "Degraded nodes: a",
  };
  const halted: PoolCondition = {
    ...degraded,
    reason: "RolloutHalted",
    message: "Unhealthy nodes in reboot slots: a (NotReady)",
  };

  test.for<[string, PoolCondition[], PoolCondition[], string[]]>([
    ["a node fails", [healthy], [degraded], ["Node Pool Degraded: Warning NodeDegraded: Degraded nodes: a"]],
    ["a node fails at first sight", [], [degraded], ["Node Pool Degraded: Warning NodeDegraded: Degraded nodes: a"]],
    ["another fails", [degraded], [{ ...degraded, message: "Degraded nodes: a, b" }], []],
    [
      "the rollout is halted",
      [degraded],
      [halted],
      [`Node Pool Rollout Halted: Warning RolloutHalted: ${halted.message}`],
    ],
    ["it goes on", [halted], [degraded], ["Node Pool Degraded: Warning NodeDegraded: Degraded nodes: a"]],
    [
      "all is well again",
      [degraded],
      [healthy],
      ["Node Pool Recovered: Normal Healthy: Healthy again: no longer NodeDegraded"],
    ],
    ["all is well at first sight", [], [healthy], []],
    ["nothing was said yet", [], [], []],
  ])("where %s", ([, before, after, news]) => {
    const [was, is] = [before, after].map((conditions) => pool({}, { status: { conditions } }));
    const said = poolNews(was ?? pool(), (is ?? pool()).status, null);
    expect(said.map(({ event, type, reason, message: text }) => `${event}: ${type} ${reason}: ${text}`)).toEqual(news);
  });

  test("it is told too where it is not known what to run, and of a pool that is being deleted", () => {
    const unresolved: PoolCondition = { ...degraded, reason: "TagResolutionError", message: "no answer" };
    const before = pool({ imageRef: "quay.io/example/myos:stable" }, { isBeingDeleted: true, status: neverSeen });
    const after = { ...before.status, conditions: [unresolved] };
    expect(poolNews(before, after, null)).toMatchObject([{ reason: "TagResolutionError", image: null, key: "1 null" }]);
  });
});

test("two writers that have read the same tell the same", () => {
  const members = [member("a", updated), member("b", updated)];
  const before = pool({}, { status: rollingB, resourceVersion: "7" });
  const after = statusOf(tick(members, { pool: before }), null);
  const [one, other] = ["e-1", null].map((execution) => poolNews(before, after, execution));
  const keys = (news: typeof one) => news?.map(({ reason, key }) => `${reason} ${key}`);
  expect(keys(one)).toEqual([`RolloutCompleted 7 ${digestB}`]);
  expect(keys(other)).toEqual(keys(one));
});
