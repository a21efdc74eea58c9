import { expect, test } from "vitest";
import {
  compactAutoUpdate,
  expandAutoUpdate,
  historyReader,
} from "../../../../functions/adapters/kubernetes/auto-update/status/compact.ts";
import type { AutoUpdate } from "../../../../functions/adapters/kubernetes/auto-update/object.ts";
import type { AutoUpdateStatus } from "../../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import { readUpdateRecord } from "../../../../functions/adapters/kubernetes/auto-update/status/status.ts";

const condition = {
  status: "True",
  reason: "InvalidConfiguration",
  message: "why",
  lastTransitionTime: "2026-11-20T12:00:00Z",
};

function autoUpdate(status?: AutoUpdateStatus): AutoUpdate {
  const own = { name: "deployment-web", namespace: "shop", uid: "u-1", resourceVersion: "7", generation: 3 };
  const labels = { team: "shop", "app.kubernetes.io/managed-by": "pawl" };
  const gitOps = { "argocd.argoproj.io/tracking-id": "x".repeat(1000) };
  const annotations = {
    ...gitOps,
    "pawl.dev/request": "reset t-1",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
  };
  const metadata = { ...own, labels, annotations, managedFields: [{ manager: "pawl" }] };
  const spec = {
    targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    policy: { schedule: "@daily" },
  };
  return { metadata, spec, ...(status === undefined ? {} : { status }) };
}

/** Returns what is left of an AutoUpdate after it was kept as text. */
function kept(status?: AutoUpdateStatus): AutoUpdate {
  return expandAutoUpdate(compactAutoUpdate(autoUpdate(status)));
}

const history = [1, 2, 3].map((day) => ({
  version: `1.${day}.0`,
  image: `app:1.${day}.0`,
  startedAt: `2026-11-0${day}T12:00:00Z`,
  finishedAt: `2026-11-0${day}T12:05:00Z`,
  result: day === 2 ? "RolledBack" : "Healthy",
  execution: `e-${day}`,
  ...(day === 2 ? { reason: "not ready" } : {}),
}));

test("keeps what a poll reads of an AutoUpdate", () => {
  const status = { observedGeneration: 3, currentVersion: "1.3.0", failedVersions: ["1.2.0"], circuitOpen: true };
  const { metadata, ...rest } = kept(status);
  expect(metadata).toEqual({
    name: "deployment-web",
    namespace: "shop",
    uid: "u-1",
    resourceVersion: "7",
    generation: 3,
    labels: { "app.kubernetes.io/managed-by": "pawl" },
    annotations: { "pawl.dev/request": "reset t-1" },
  });
  expect(rest).toMatchObject({ spec: autoUpdate().spec, status: { ...status, conditions: [] } });
  expect(kept().status).toBeUndefined();
});

test("keeps the condition that says which problem was reported", () => {
  const conditions = [
    { type: "Ready", ...condition },
    { type: "Stalled", ...condition },
  ] as const;
  const { status } = kept({ conditions });
  expect(status?.conditions).toEqual([{ type: "Stalled", ...condition }]);
});

test("keeps of the history every attempt, and the last entry completely", () => {
  const complete = historyReader({ history })();
  const attempts = complete.map(({ version, appliedAt, status }) => ({ version, appliedAt, status }));
  expect(complete.map(({ execution, reason }) => [execution, reason])).toEqual([
    ["e-1", undefined],
    ["e-2", "not ready"],
    ["e-3", undefined],
  ]);
  expect(historyReader(kept({ history }).status ?? {})()).toEqual([...attempts.slice(0, 2), complete.at(-1)]);
  expect(historyReader(kept({}).status ?? {})()).toEqual([]);
});

test("the update record of a compact AutoUpdate has every attempt", () => {
  const { versionHistory } = readUpdateRecord(kept({ history }).status);
  expect(versionHistory.map(({ version, status }) => `${version} ${status}`)).toEqual([
    "1.1.0 Healthy",
    "1.2.0 RolledBack",
    "1.3.0 Healthy",
  ]);
  expect(versionHistory.at(-1)).toEqual(readUpdateRecord({ history }).versionHistory.at(-1));
});
