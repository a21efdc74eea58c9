import { expect, test } from "vitest";
import { observePod } from "../../../../functions/adapters/kubernetes/pods/observe-pod.ts";
import type { ContainerStatus, Pod } from "../../../../functions/adapters/kubernetes/pods/pod.ts";

const ended = (exitCode: number, minute: number) => ({
  terminated: { exitCode, finishedAt: `2026-11-20T12:0${minute}:00Z` },
});
const running: NonNullable<ContainerStatus["state"]> = {};

function podWith(status: Pod["status"] = {}): Pod {
  return {
    metadata: { name: "web-0", uid: "p-0", creationTimestamp: "2026-11-20T12:00:00Z" },
    spec: { containers: [] },
    status,
  };
}

interface Case {
  readonly of: string;
  readonly app?: Omit<ContainerStatus, "name">;
  readonly init?: Omit<ContainerStatus, "name">;
  readonly exits: number;
  readonly minute: number | null;
}

test.for<Case>([
  { of: "a container that runs", app: { state: running }, exits: 0, minute: null },
  {
    of: "one that was restarted",
    app: { restartCount: 2, state: running, lastState: ended(1, 3) },
    exits: 2,
    minute: 3,
  },
  {
    of: "one that has just exited",
    app: { restartCount: 2, state: ended(1, 4), lastState: ended(1, 3) },
    exits: 3,
    minute: 4,
  },
  {
    of: "one that waits for its restart",
    app: { restartCount: 2, state: { waiting: {} }, lastState: ended(0, 4) },
    exits: 3,
    minute: 4,
  },
  { of: "one that waits for its image", app: { state: { waiting: {} } }, exits: 0, minute: null },
  { of: "an init container that has completed", init: { restartCount: 4, state: ended(0, 1) }, exits: 0, minute: null },
  { of: "an init container that fails", init: { restartCount: 4, state: ended(2, 1) }, exits: 5, minute: 1 },
  {
    of: "a sidecar that is restarted",
    init: { restartCount: 4, state: running, lastState: ended(1, 2) },
    exits: 4,
    minute: 2,
  },
])("the exits of $of: $exits", ({ app, init, exits, minute }) => {
  const pod = podWith({
    ...(app && { containerStatuses: [{ name: "app", ...app }] }),
    ...(init && { initContainerStatuses: [{ name: "init", ...init }] }),
  });
  const exitedAt = minute === null ? null : new Date(`2026-11-20T12:0${minute}:00Z`);
  expect(observePod(pod, false)).toMatchObject({ exits, exitedAt });
});

test("a pod without a status has not started", () => {
  const { metadata, spec } = podWith();
  expect(observePod({ metadata, spec }, false)).toMatchObject({
    createdAt: new Date("2026-11-20T12:00:00Z"),
    startedAt: null,
    isReady: false,
    readyChangedAt: null,
    exits: 0,
    cause: { blames: "excused" },
  });
});

test("a pod on a node that does not answer is excused", () => {
  const crashing = podWith({ containerStatuses: [{ name: "app", state: ended(1, 1) }] });
  expect([false, true].map((isExcused) => observePod(crashing, isExcused).cause.blames)).toEqual([
    "version",
    "excused",
  ]);
});
