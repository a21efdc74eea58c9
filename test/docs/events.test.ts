import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  canaryPausedEvent,
  canaryPromotedEvent,
  updateAvailableEvent,
  updateHeldEvent,
  updateStartedEvent,
  updateSucceededEvent,
} from "../../functions/domain/workload/event/events.ts";
import { auditEvent } from "../../functions/domain/workload/audit/audit.ts";
import { hookEvent } from "../../functions/domain/workload/hook/hook-event.ts";
import { poolEventTypes } from "../../functions/domain/node-pool/event/event.ts";
import { emitEvent } from "../../functions/workflows/emit-events.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { after, canaryInFlight, image, noon, workload, updateTarget } from "../support/workloads.ts";
import { readDocument, sectionsOf } from "./document.ts";
import { type UpdateEvent, updateEventTypes } from "../../functions/domain/workload/event/update-event.ts";
import {
  updateSupersededEvent,
  updateWithdrawnEvent,
  circuitOpenedEvent,
  rollbackEvent,
} from "../../functions/domain/workload/event/revert-events.ts";

const execution = "shop-app-1-1-0-3f2a9c41d0b7";
const current = workload({ updateRecord: { currentVersion: "1.0.0", rollbackCount: 3, circuitOpen: true } });
const notReady =
  "not ready after 600 s: 1 of 3 replicas ready; 2 of 3 pods failing: app-7f9c-x2 (app) exit 1 `no DB_URL` (4 restarts)";

const emitted: readonly UpdateEvent[] = [
  updateAvailableEvent(current, updateTarget),
  updateStartedEvent(updateTarget, execution),
  hookEvent(updateTarget, execution, "pre", {
    isSuccess: true,
    outcome: "the pre hook migrate succeeded",
    log: ["migrated"],
  }),
  hookEvent(updateTarget, execution, "pre", {
    isSuccess: false,
    outcome: "the pre hook migrate failed: BackoffLimitExceeded",
    log: ["no such table"],
  }),
  canaryPausedEvent(
    { ...canaryInFlight, execution },
    {
      step: 4,
      steps: 5,
      plan: "5%, analysis, 25%, pause, 50%",
      size: "25%",
      waitsFor: "Promotion",
      since: noon,
      until: after(24 * 60),
    },
  ),
  canaryPromotedEvent(updateTarget, execution),
  updateSucceededEvent(updateTarget, execution),
  rollbackEvent({ ...current, image }, updateTarget, execution, notReady),
  updateWithdrawnEvent(current, updateTarget, execution, "no pod of the new revision was created within 600 s"),
  updateSupersededEvent(
    updateTarget,
    execution,
    "superseded by 1.1.1; 2 of 3 pods failing: app-7f9c-x2 (app) exit 1 `no DB_URL` (4 restarts)",
  ),
  circuitOpenedEvent(current, updateTarget, execution),
  updateHeldEvent(
    "AutoUpdateHeld",
    "1.0.0 was set manually instead of 1.1.0: held until a version newer than 1.1.0 appears",
    null,
  ),
  auditEvent(current, {
    id: "9f1c",
    at: "2026-11-20T12:00:00Z",
    by: "anna@example.com",
    what: "reset",
    why: "incident 7",
    result: "circuit closed",
  }),
];

describe("docs/reference/events.md", () => {
  const text = readDocument("events.md");
  const sections = sectionsOf(text, 3);

  test("has a section for each type of event, and for no other", () => {
    expect([...sections.keys()]).toEqual([...updateEventTypes, ...poolEventTypes]);
    expect(emitted.map(({ event }) => event)).toEqual([...updateEventTypes]);
  });

  test.for(emitted.map((one) => [one.event, one] as const))(
    "shows what is published of %s",
    async ([event, emittedEvent]) => {
      const ports = fakePorts({ workloads: [current] });
      await emitEvent(ports, current, emittedEvent);
      const [published] = ports.published;
      const { type, ...detail } = published ?? { type: null };
      const example = /```json\n(.*?)```/s.exec(sections.get(event) ?? "")?.[1] ?? "{}";
      expect(JSON.parse(example)).toEqual({ source: "pawl", "detail-type": type, detail });
    },
  );

  test("names every reason that an Event on a workload may have", () => {
    const domain = join(import.meta.dirname, "..", "..", "functions", "domain");
    const files = readdirSync(domain, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const code = files.map((file) => readFileSync(join(domain, file), "utf8"));
    const reasons = [...code.join("\n").matchAll(/"(AutoUpdate[A-Za-z]+)"/g)].map(([, reason]) => reason);
    const table = [...text.matchAll(/^\| `(AutoUpdate[A-Za-z]+)` \|/gm)].map(([, reason]) => reason);
    const conditions = new Set(["AutoUpdateInProgress", "AutoUpdateValid"]);
    expect(new Set(table)).toEqual(new Set(reasons.filter((reason) => !conditions.has(reason ?? ""))));
  });
});
