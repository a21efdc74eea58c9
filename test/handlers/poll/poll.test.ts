import { expect, test } from "vitest";
import { type PollInput, toPollInput } from "../../../functions/contract/poll-input.ts";
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

test.for<{ trigger: string; pushes?: PollInput["pushes"]; named?: PollInput["workloads"]; started: string[] }>([
  { trigger: "the schedule", started: ["api", "hub", "web", "web-other-account", "web-other-region"] },
  {
    trigger: "a push",
    pushes: [{ repository: "shop/web", registry: "123456789012", region: "eu-west-1" }],
    started: ["web"],
  },
  {
    trigger: "a push to another region",
    pushes: [{ repository: "shop/web", registry: "123456789012", region: "us-west-2" }],
    started: [],
  },
  { trigger: "a push to an unused repository", pushes: [{ repository: "shop/other" }], started: [] },
  {
    trigger: "a push to the repository in any ECR registry",
    pushes: [{ repository: "shop/web" }],
    started: ["web", "web-other-account", "web-other-region"],
  },
  {
    trigger: "pushes to two repositories",
    pushes: [{ repository: "shop/api" }, { repository: "shop/web", registry: "123456789012", region: "eu-west-1" }],
    started: ["api", "web"],
  },
  { trigger: "no push", pushes: [], started: [] },
  { trigger: "a person", named: [{ kind: "Deployment", namespace: "shop", name: "hub" }], started: ["hub"] },
  {
    trigger: "a person, for another kind",
    named: [{ kind: "DaemonSet", namespace: "shop", name: "hub" }],
    started: [],
  },
])("$trigger starts updates of $started", async ({ pushes, named, started }) => {
  const ports = fakePorts({ workloads, tags });
  await poll(ports, { cluster: "production", pushes, workloads: named });
  expect(ports.executions.started.map((execution) => execution.input.workload.name).toSorted()).toEqual(started);
  expect(ports.executions.started.every((execution) => execution.input.target.image.endsWith(":1.1.0"))).toBe(true);
});

test("a push does not override a workload's own schedule", async () => {
  const parts = { policy: { schedule: "@daily" }, updateRecord: { lastCheck: after(-1) } };
  const ports = fakePorts({ workloads: [idleWorkload("web", `${ireland}/shop/web:1.0.0`, parts)], tags });
  expect(await poll(ports, { cluster: "production", pushes: [{ repository: "shop/web" }] })).toMatchObject({
    evaluated: 1,
    started: 0,
  });
});

test("a batch of messages is one poll, which has each push once", () => {
  const body = (repository: string) => JSON.stringify({ cluster: "production", pushes: [{ repository }] });
  const Records = [body("shop/web"), body("shop/api"), body("shop/web")].map((each) => ({ body: each }));
  const pushes = [{ repository: "shop/web" }, { repository: "shop/api" }];
  expect(toPollInput({ Records })).toEqual({ cluster: "production", pushes });
  expect(toPollInput({ cluster: "production" })).toEqual({ cluster: "production" });
});
