import { randomUUID } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Events } from "../../../functions/ports/events.ts";
import { listen } from "../../../infra/local/listen.ts";
import type { LocalTarget } from "../../../infra/local/runtime/notification-file.ts";
import { createNotifier } from "../../../infra/local/runtime/notifier.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { noon, workload } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";

const count = 50;

type Publish = (now: Date, ...event: Parameters<Events["publish"]>) => void;

/** Updates workloads to a version that fails, each in a virtual time of its own. Returns the seconds that all updates took. */
async function failAll(publish: Publish): Promise<number> {
  let seconds = 0;
  for (let index = 0; index < count; index += 1) {
    // They fail within five minutes.
    const policy = { schedule: null, maxRollbacks: 1, healthTimeoutSeconds: 60 + index * 4 };
    const ports = fakePorts({
      workloads: [workload({ policy })],
      tags: { "shop/app": ["1.0.0", "1.1.0"] },
      broken: new Set(["registry.example/shop/app:1.1.0"]),
    });
    const publishes = async (...event: Parameters<Events["publish"]>) => publish(ports.now(), ...event);
    await runUntilComplete({ ...ports, events: { ...ports.events, publish: publishes } });
    const [entry, ...others] = ports.cluster.get().updateRecord.versionHistory;
    expect([entry?.status, others.length]).toEqual(["RolledBack", 0]);
    seconds += ((entry?.finishedAt ?? noon).getTime() - (entry?.appliedAt ?? noon).getTime()) / 1000;
  }
  return seconds;
}

/** A receiver that answers nothing until it is released. */
async function startHangingReceiver() {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const seen = { requests: 0, answers: 0 };
  const server = createServer((request, response) => {
    seen.requests += 1;
    request.resume();
    void answerLate(response);
  });
  async function answerLate(response: ServerResponse): Promise<void> {
    await released;
    seen.answers += 1;
    response.end();
  }
  const { host, close } = await listen(server);
  onTestFinished(close);
  return { url: `http://${host}`, seen, release };
}

const all = {
  events: null,
  namespaces: null,
  workloads: null,
  onlyNamed: false,
  on: "all",
  dailyDigest: null,
} as const;

// The receiver may be asked for 10 s, three times.
vi.setConfig({ testTimeout: 120_000 });

test("updates that fail take as long beside a receiver that hangs, and are a few messages when it answers", async () => {
  const alone = await failAll(() => undefined);
  const { url, seen, release } = await startHangingReceiver();
  const team = { kind: "webhook", name: "team", url, method: "POST", headers: {}, body: null, grouped: true, ...all };
  const notifier = createNotifier([{ ...team, secretFile: null } as LocalTarget], () => undefined);
  const notify: Publish = (time, type, detail) => {
    const event = { bus: "pawl", id: randomUUID(), source: "pawl", "detail-type": type, time, resources: [] };
    notifier.notify({ ...event, detail: { ...detail } });
  };
  let isFirst = true;
  const beside = await failAll((...event) => {
    notify(...event);
    // Its first message hangs from now on.
    if (isFirst && event[1] === "Update Rolled Back") {
      isFirst = false;
      void notifier.finish();
    }
  });
  expect(alone).toBeGreaterThan(count * 60);
  expect(beside / alone).toBeLessThanOrEqual(1.05);
  await eventually("its first message has arrived", async () => seen.requests > 0);
  expect(seen.answers).toBe(0);
  release();
  await notifier.finish();
  expect(seen.answers).toBeGreaterThan(0);
  // The first is repeated if it waited for longer than 10 s.
  expect(seen.requests).toBeLessThanOrEqual(20);
});
