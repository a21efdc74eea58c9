import { expect, test } from "vitest";
import { controlFailure } from "../../../../functions/adapters/kubernetes/pods/failed-control.ts";
import type { Pod } from "../../../../functions/adapters/kubernetes/pods/pod.ts";
import { inFlight, noon, workload } from "../../../support/workloads.ts";

const later = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
const conditions = (status: string, since: Date) =>
  ["ContainersReady", "Ready"].map((type) => ({ type, status, lastTransitionTime: since }));

/** A pod that was created then, and is ready, or is not, since then; in seconds after the update began. */
function pod(created: number, status: "True" | "False", since: number, parts: Partial<Pod["metadata"]> = {}): Pod {
  return {
    metadata: { name: "web-0", uid: "u", creationTimestamp: later(created), ...parts },
    spec: { containers: [{ name: "web" }] },
    status: { phase: "Running", conditions: conditions(status, later(since)) },
  };
}

const exit = (at: number) => ({ terminated: { exitCode: 1, reason: "Error", finishedAt: later(at) } });
const withExit = (of: Pod, at: number): Pod => ({
  ...of,
  status: { ...of.status, containerStatuses: [{ name: "web", restartCount: 1, lastState: exit(at) }] },
});

/** The health timeout is 600 s. */
test.for([
  { when: "is ready as before", of: pod(-900, "True", -890), reason: null },
  { when: "has become unready since", of: pod(-900, "False", 30), reason: "ContainersNotReady" },
  { when: "was unready before", of: pod(-900, "False", -30), reason: null },
  { when: "is starting", of: pod(700, "False", 700), reason: null },
  { when: "has exited since", of: withExit(pod(-900, "True", 40), 30), reason: "Exit" },
  { when: "exited before", of: withExit(pod(-900, "True", -30), -40), reason: null },
  { when: "was ready in time", of: pod(700, "True", 1300), reason: null },
  { when: "was ready later than the target had time for", of: pod(700, "True", 1301), reason: "ReadyLate" },
  { when: "was ready late, before the update", of: pod(-900, "True", -200), reason: null },
  { when: "is deleted", of: pod(-900, "False", 30, { deletionTimestamp: later(31) }), reason: null },
])("a pod that $when: $reason", ({ of, reason }) => {
  const cause = controlFailure(of, workload({ inFlight }), later(1400));
  expect(cause?.reason ?? null).toBe(reason);
});

test("without an update, and with a start that nobody can read, nothing is compared", () => {
  const failed = pod(-900, "False", 30);
  expect(controlFailure(failed, workload(), noon)).toBeNull();
  expect(controlFailure(failed, workload({ inFlight: { ...inFlight, startedAt: "malformed" } }), noon)).toBeNull();
});
