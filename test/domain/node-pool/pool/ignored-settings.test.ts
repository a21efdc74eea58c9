import { expect, test } from "vitest";
import { findIgnoredSettings } from "../../../../functions/domain/node-pool/pool/ignored-settings.ts";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { poolEvents } from "../../../../functions/domain/node-pool/event/pool-events.ts";
import { pool } from "../pools.ts";

const soft = "disruption.rebootPolicy: AllowSoftReboot has no effect with a daemon; the nodes reboot completely";
const secret =
  "pullSecretRef: the secret is not transferred to nodes without a daemon; put the login into their /etc/ostree/auth.json";
const pullSecretRef = { name: "login", namespace: "os" };

test.for<{ spec: Partial<NodePoolSpec>; ignored: readonly string[] }>([
  { spec: {}, ignored: [] },
  { spec: { rebootPolicy: "AllowSoftReboot" }, ignored: [soft] },
  { spec: { rebootPolicy: "AllowSoftReboot", agent: "RunCommand" }, ignored: [] },
  { spec: { pullSecretRef }, ignored: [] },
  { spec: { pullSecretRef, agent: "RunCommand" }, ignored: [secret] },
])("of $spec, $ignored is ignored", ({ spec, ignored }) => {
  expect(findIgnoredSettings(pool(spec).spec)).toEqual(ignored);
});

test("a Warning is emitted once for each spec, and not on the bus", () => {
  const events = (spec: Partial<NodePoolSpec>, observed: number) => {
    const { status } = pool({}, { status: { observedGeneration: 1 } });
    return poolEvents(pool(spec, { status: { observedGeneration: observed } }), status, null);
  };
  expect(events({ rebootPolicy: "AllowSoftReboot" }, 0)).toMatchObject([
    { event: null, type: "Warning", reason: "SettingIgnored", message: soft },
  ]);
  expect(events({ rebootPolicy: "AllowSoftReboot" }, 1)).toEqual([]);
  expect(events({}, 0)).toEqual([]);
});
