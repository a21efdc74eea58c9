import { expect, test } from "vitest";
import type { NodePoolSpec } from "../../../../functions/domain/node-pool/pool/node-pool.ts";
import { parseWindow } from "../../../../functions/domain/schedule/maintenance-windows.ts";
import { member, pool, poolState, staged } from "../pools.ts";

/** Opens at noon, which is now. */
function lasting(durationSeconds: number): NodePoolSpec["windows"] {
  const window = parseWindow({ schedule: "0 12 * * *", durationSeconds });
  if (window.kind === "invalid") throw new Error(window.reason);
  return [window];
}

test.for<{ when: string; spec: Partial<NodePoolSpec>; minutes?: number; reason: string | null }>([
  { when: "lasts as long as a usual drain and a reboot", spec: { windows: lasting(1200) }, reason: null },
  {
    when: "is a second shorter",
    spec: { windows: lasting(1199) },
    reason:
      "no maintenance window is as long as 1200 s, which a drain and a reboot may take; lengthen one, or lower drainTimeoutSeconds and rebootTimeoutSeconds",
  },
  {
    when: "is shorter than its own timeouts",
    spec: { windows: lasting(3600), drainTimeoutSeconds: 1800, rebootTimeoutSeconds: 1801 },
    reason:
      "no maintenance window is as long as 3601 s, which a drain and a reboot may take; lengthen one, or lower drainTimeoutSeconds and rebootTimeoutSeconds",
  },
  { when: "has as much left", spec: { windows: lasting(3600) }, minutes: 40, reason: null },
  {
    when: "has less left",
    spec: { windows: lasting(3600), rebootTimeoutSeconds: null },
    minutes: 41,
    reason: "the maintenance window ends in less than 1200 s, which a drain and a reboot may take",
  },
])("a window that $when: $reason", ({ spec, minutes = 0, reason }) => {
  const now = new Date(Date.UTC(2026, 10, 20, 12, minutes));
  expect(poolState([member("w", staged)], { pool: pool(spec), now }).noSlotReason).toBe(reason);
});
