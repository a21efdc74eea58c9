import { describe, expect, test } from "vitest";
import { poll, type PollInput, pollInput } from "../../functions/handlers/poll.ts";
import { assertInput } from "../../functions/input.ts";
import { endOfPlaces } from "../../functions/polling/place.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { resting } from "../polling/shop.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after, noon } from "../support/workloads.ts";

const ireland = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
const workloads = [
  resting("web", `${ireland}/shop/web:1.0.0`),
  resting("web-elsewhere", "123456789012.dkr.ecr.us-east-1.amazonaws.com/shop/web:1.0.0"),
  resting("web-of-others", "210987654321.dkr.ecr.eu-west-1.amazonaws.com/shop/web:1.0.0"),
  resting("api", `${ireland}/shop/api:1.0.0`),
  resting("hub", "shop/web:1.0.0"),
  resting("broken", "Not/An/Image:1"),
];
const tags = { "shop/web": ["1.0.0", "1.1.0"], "shop/api": ["1.0.0", "1.1.0"] };

test.for<{ what: string; input: Omit<PollInput, "cluster">; started: string[] }>([
  { what: "the schedule", input: {}, started: ["api", "hub", "web", "web-elsewhere", "web-of-others"] },
  {
    what: "a push",
    input: { repository: "shop/web", registry: "123456789012", region: "eu-west-1", tag: "1.1.0" },
    started: ["web"],
  },
  {
    what: "a push to another region",
    input: { repository: "shop/web", registry: "123456789012", region: "us-west-2" },
    started: [],
  },
  { what: "a repository that nobody uses", input: { repository: "shop/other" }, started: [] },
  {
    what: "a repository of any registry of ECR",
    input: { repository: "shop/web" },
    started: ["web", "web-elsewhere", "web-of-others"],
  },
  {
    what: "a tag that the registry does not list",
    input: { repository: "shop/web", registry: "123456789012", region: "eu-west-1", tag: "9.9.9" },
    started: ["web"],
  },
])("$what looks at $started", async ({ input, started }) => {
  const ports = fakePorts({ workloads, tags });
  await poll(ports, { cluster: "production", ...input });
  expect(ports.executions.started.map((one) => one.input.workload.name).toSorted()).toEqual(started);
  expect(ports.executions.started.every((one) => one.input.image.endsWith(":1.1.0"))).toBe(true);
});

test("a push does not override a workload's own schedule", async () => {
  const parts = { policy: { schedule: "@daily" }, bookkeeping: { lastCheck: after(-1) } };
  const ports = fakePorts({ workloads: [resting("web", `${ireland}/shop/web:1.0.0`, parts)], tags });
  expect(await poll(ports, { cluster: "production", repository: "shop/web" })).toMatchObject({ looked: 1, started: 0 });
});

describe("what a poll is handed on with", () => {
  const rest = { seed: "s", from: 0, behind: { "slow.example": 7 }, startedAt: noon.toISOString(), part: 2 };
  const input = (own: object) => ({ cluster: "production", rest: { ...rest, ...own } });

  test("is how far the part before it came", async () => {
    const ports = fakePorts({ workloads, tags });
    expect(await poll(ports, { cluster: "production", rest: { ...rest, from: endOfPlaces } })).toMatchObject({
      part: 2,
      looked: 0,
    });
  });

  test.for([
    { own: { seed: "" }, says: "rest.seed must be a text that is not empty" },
    { own: { from: -1 }, says: "rest.from must be a whole number up to 4503599627370496" },
    { own: { from: 0.5 }, says: "rest.from must be a whole number up to 4503599627370496" },
    { own: { from: "0" }, says: "rest.from must be a whole number up to 4503599627370496" },
    { own: { behind: [] }, says: "rest.behind must be an object" },
    { own: { behind: { a: 1, b: null } }, says: 'rest.behind["b"] must be a whole number up to 4503599627370496' },
    { own: { startedAt: "noon" }, says: "rest.startedAt must be a time in RFC3339" },
    { own: { part: 17 }, says: "rest.part must be a whole number from 1 to 16" },
  ])("is refused where $says", ({ own, says }) => {
    expect(() => assertInput(pollInput, input(own))).toThrow(says);
  });

  test("is what a poll itself hands on", async () => {
    const ports = fakePorts({ workloads, tags });
    await pollCluster(ports, { mostWorkloads: 2 });
    expect(ports.handedOn).toHaveLength(1);
    assertInput(pollInput, { cluster: "production", rest: JSON.parse(JSON.stringify(ports.handedOn[0])) });
  });
});
