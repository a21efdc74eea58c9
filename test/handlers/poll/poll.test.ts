import { expect, test } from "vitest";
import type { PollInput } from "../../../functions/contract/poll-input.ts";
import { poll } from "../../../functions/handlers/poll.ts";
import { idleWorkload } from "../../workflows/poll/fixtures.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { after } from "../../support/workloads.ts";

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
  expect(ports.executions.started.every((execution) => execution.input.target.image.endsWith(":1.1.0"))).toBe(true);
});

test("a push does not override a workload's own schedule", async () => {
  const parts = { policy: { schedule: "@daily" }, updateRecord: { lastCheck: after(-1) } };
  const ports = fakePorts({ workloads: [idleWorkload("web", `${ireland}/shop/web:1.0.0`, parts)], tags });
  expect(await poll(ports, { cluster: "production", repository: "shop/web" })).toMatchObject({
    evaluated: 1,
    started: 0,
  });
});
