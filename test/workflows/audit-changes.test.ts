import { describe, expect, test } from "vitest";
import { answerRequest } from "../../functions/domain/workload/request/request.ts";
import type { PersonRequest } from "../../functions/domain/workload/request/person-request.ts";
import { hold } from "../../functions/domain/workload/decision/decision.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { auditChanges } from "../../functions/workflows/audit-changes.ts";
import { recordDecision } from "../../functions/workflows/poll/record/record-check.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { workload } from "../support/workloads.ts";

const request: PersonRequest = { verb: "reset", argument: null, token: "t-1", by: "anna", reason: "incident 7" };
const tripped = (): Workload => ({
  ...workload({ updateRecord: { circuitOpen: true, rollbackCount: 3 } }),
  request,
  audit: [],
});

type Options = Parameters<typeof fakePorts>[0];

function open(options: Options = {}) {
  const ports = fakePorts({ workloads: [tripped()], ...options });
  return { ...ports, cluster: auditChanges(ports.cluster, ports) };
}

const eventsOf = ({ cluster }: ReturnType<typeof open>) =>
  cluster.events().filter(({ reason }) => reason === "AutoUpdateAudit");

/** Answers the request as the function `record-check` does, as often as it is killed. */
async function answer(ports: ReturnType<typeof open>): Promise<void> {
  const current = ports.cluster.get();
  const { request: asked } = current;
  const decision =
    asked === null ? hold("no-newer-version", "1.0.0 is the newest") : ({ kind: "request", ...asked } as const);
  await recordDecision(ports, current, decision);
}

describe("a request that is answered", () => {
  test("is one entry, one Event and one event on the bus", async () => {
    const ports = open();
    await answer(ports);
    expect(ports.cluster.get().audit).toMatchObject([{ id: "t-1", by: "anna", what: "reset", why: "incident 7" }]);
    expect(eventsOf(ports).map(({ message }) => message)).toEqual([
      "anna: reset: incident 7 (circuit closed, 3 failed attempts no longer counted)",
    ]);
    expect(ports.published.filter(({ type }) => type === "Person Acted")).toMatchObject([{ audit: { by: "anna" } }]);
  });

  test.for(["before change", "after change", "before emitEvent", "after emitEvent", "before publish", "after publish"])(
    "is one entry and one Event if the function is killed %s",
    async (moment) => {
      let isKilled = false;
      const ports = open({
        atMoment: (at) => {
          if (at !== moment || isKilled) return;
          isKilled = true;
          throw new Error("killed");
        },
      });
      await expect(answer(ports)).rejects.toThrow("killed");
      for (let poll = 0; poll < 3; poll += 1) await answer(ports);
      expect(ports.cluster.get().audit).toHaveLength(1);
      expect(eventsOf(ports)).toHaveLength(1);
      expect(ports.published.filter(({ type }) => type === "Person Acted").length).toBeLessThanOrEqual(1);
    },
  );
});

test("an approval names nobody if its own policy is not in force, whatever that of requests says", async () => {
  const ports = open({ approvalProblem: () => "not in force" });
  const current = ports.cluster.get();
  const audit = [{ id: "a", at: "2026-11-20T12:00:00Z", by: "bob", what: "approve 1.1.0" }];
  await ports.cluster.change(current, { ...answerRequest(current, request), audit });
  expect(ports.cluster.get().audit?.map(({ by }) => by)).toEqual(["anna", "unknown"]);
});

test("a change of nobody asks for no policy", async () => {
  const ports = open({ requestProblem: () => expect.unreachable(), approvalProblem: () => expect.unreachable() });
  await ports.cluster.change(ports.cluster.get(), { updateRecord: { rollbackCount: 1 } });
  expect(eventsOf(ports)).toEqual([]);
});
