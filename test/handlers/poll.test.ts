import { describe, expect, test } from "vitest";
import { type PollInput, pollInput } from "../../functions/contract/poll-input.ts";
import { assertInput } from "../../functions/contract/validate.ts";
import { poll } from "../../functions/handlers/poll.ts";
import { shardKeyLimit } from "../../functions/ports/poll-continuation.ts";
import { pollCluster } from "../../functions/workflows/poll/poll-cluster.ts";
import { idleWorkload } from "../workflows/poll/fixtures.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after, noon } from "../support/workloads.ts";

const ireland = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
const workloads = [
  idleWorkload("web", `${ireland}/shop/web:1.0.0`),
  idleWorkload("web-other-region", "123456789012.dkr.ecr.us-east-1.amazonaws.com/shop/web:1.0.0"),
  idleWorkload("web-other-account", "210987654321.dkr.ecr.eu-west-1.amazonaws.com/shop/web:1.0.0"),
  idleWorkload("api", `${ireland}/shop/api:1.0.0`),
  idleWorkload("hub", "shop/web:1.0.0"),
  idleWorkload("broken", "Not/An/Image:1"),
];
const tags = { "shop/web": ["1.0.0", "1.1.0"], "shop/api": ["1.0.0", "1.1.0"] };

test.for<{ trigger: string; input: Omit<PollInput, "cluster">; started: string[] }>([
  { trigger: "the schedule", input: {}, started: ["api", "hub", "web", "web-other-account", "web-other-region"] },
  {
    trigger: "a push",
    input: { repository: "shop/web", registry: "123456789012", region: "eu-west-1", tag: "1.1.0" },
    started: ["web"],
  },
  {
    trigger: "a push to another region",
    input: { repository: "shop/web", registry: "123456789012", region: "us-west-2" },
    started: [],
  },
  { trigger: "a push to an unused repository", input: { repository: "shop/other" }, started: [] },
  {
    trigger: "a push to the repository in any ECR registry",
    input: { repository: "shop/web" },
    started: ["web", "web-other-account", "web-other-region"],
  },
  {
    trigger: "a push of a tag that the registry does not list",
    input: { repository: "shop/web", registry: "123456789012", region: "eu-west-1", tag: "9.9.9" },
    started: ["web"],
  },
])("$trigger starts updates of $started", async ({ input, started }) => {
  const ports = fakePorts({ workloads, tags });
  await poll(ports, { cluster: "production", ...input });
  expect(ports.executions.started.map((execution) => execution.input.workload.name).toSorted()).toEqual(started);
  expect(ports.executions.started.every((execution) => execution.input.image.endsWith(":1.1.0"))).toBe(true);
});

test("a push does not override a workload's own schedule", async () => {
  const parts = { policy: { schedule: "@daily" }, updateRecord: { lastCheck: after(-1) } };
  const ports = fakePorts({ workloads: [idleWorkload("web", `${ireland}/shop/web:1.0.0`, parts)], tags });
  expect(await poll(ports, { cluster: "production", repository: "shop/web" })).toMatchObject({
    evaluated: 1,
    started: 0,
  });
});

describe("the continuation of a poll", () => {
  const continuation = {
    seed: "s",
    cursor: 0,
    laggingRegistries: { "slow.example": 7 },
    startedAt: noon.toISOString(),
    part: 2,
  };
  const input = (parts: object) => ({ cluster: "production", continuation: { ...continuation, ...parts } });

  test("contains the progress of the previous part", async () => {
    const ports = fakePorts({ workloads, tags });
    expect(
      await poll(ports, { cluster: "production", continuation: { ...continuation, cursor: shardKeyLimit } }),
    ).toMatchObject({
      part: 2,
      evaluated: 0,
    });
  });

  test.for([
    { parts: { seed: "" }, message: 'continuation.seed: "" is not a non-empty string' },
    { parts: { cursor: -1 }, message: "continuation.cursor: -1 is not a whole number from 0 to 4503599627370496" },
    { parts: { cursor: 0.5 }, message: "continuation.cursor: 0.5 is not a whole number from 0 to 4503599627370496" },
    { parts: { cursor: "0" }, message: 'continuation.cursor: "0" is not a whole number from 0 to 4503599627370496' },
    { parts: { laggingRegistries: [] }, message: "continuation.laggingRegistries: [] is not an object" },
    {
      parts: { laggingRegistries: { a: 1, b: null } },
      message: "continuation.laggingRegistries.b: null is not a whole number from 0 to 4503599627370496",
    },
    { parts: { startedAt: "noon" }, message: 'continuation.startedAt: "noon" is not a time in RFC 3339' },
    { parts: { part: 17 }, message: "continuation.part: 17 is not a whole number from 1 to 16" },
  ])("is rejected: $message", ({ parts, message }) => {
    expect(() => assertInput(pollInput, input(parts))).toThrow(message);
  });

  test("has the form that a poll invokes the next part with", async () => {
    const ports = fakePorts({ workloads, tags });
    await pollCluster(ports, { maxWorkloads: 2 });
    expect(ports.continuations).toHaveLength(1);
    assertInput(pollInput, { cluster: "production", continuation: JSON.parse(JSON.stringify(ports.continuations[0])) });
  });
});
