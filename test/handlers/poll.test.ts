import { expect, test } from "vitest";
import { poll, type PollInput } from "../../functions/handlers/poll.ts";
import { resting } from "../polling/shop.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after } from "../support/workloads.ts";

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
