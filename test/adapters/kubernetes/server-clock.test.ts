import { expect, onTestFinished, test } from "vitest";
import { createKubernetesCluster } from "../../../functions/adapters/kubernetes/cluster.ts";
import { createServerClock } from "../../../functions/adapters/kubernetes/server-clock.ts";
import { kubeConfigAt, ok, startScriptedServer, statusReply } from "./api/scripted-server.ts";

const noon = new Date("2026-11-20T12:00:00Z");

test.for([
  { date: "Fri, 20 Nov 2026 11:00:00 GMT", ahead: -3600 },
  { date: "Fri, 20 Nov 2026 12:00:30 GMT", ahead: 30 },
  { date: "yesterday", ahead: 0 },
  { date: undefined, ahead: 0 },
])("a response of $date is $ahead s ahead", ({ date, ahead }) => {
  const clock = createServerClock(() => noon);
  clock.observe(date === undefined ? {} : { date });
  expect(clock.aheadSeconds()).toBe(ahead);
});

test("a response without a time keeps that of the one before", () => {
  const clock = createServerClock(() => noon);
  clock.observe({ date: "Fri, 20 Nov 2026 13:00:00 GMT" });
  clock.observe({});
  expect(clock.aheadSeconds()).toBe(3600);
});

test.for([
  { when: "there is a ConfigMap", reply: ok({ metadata: {}, data: { "freeze.yaml": "" } }) },
  { when: "there is none", reply: statusReply(404, "NotFound") },
  { when: "it may not be read", reply: statusReply(403, "Forbidden") },
])("the answer about freezes has the time of the server if $when", async ({ reply }) => {
  const server = await startScriptedServer(() => reply);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const machineClock = () => new Date(Date.now() + 3_600_000);
  const settings = { name: "a", kubeConfig: kubeConfigAt(server.url), namespaces: null, now: () => noon, machineClock };
  const cluster = createKubernetesCluster({ ...settings, warn: () => undefined });
  const { serverAheadSeconds = 0 } = await cluster.readFreeze();
  expect(Math.round(serverAheadSeconds / 600)).toBe(-6);
});
