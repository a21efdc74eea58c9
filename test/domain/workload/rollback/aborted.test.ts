import { expect, test } from "vitest";
import { recordRollback } from "../../../../functions/domain/workload/rollback/rollback.ts";
import { parkReason } from "../../../../functions/domain/workload/update/park.ts";
import {
  canaryInFlight,
  canaryWorkload,
  completeRollout,
  inFlight,
  noon,
  updatingWorkload,
} from "../../../support/workloads.ts";
import { restartInFlight, restartingWorkload } from "../../../support/digest-workloads.ts";
import { claim, release, released } from "../release/releases.ts";

const asked = (verb: string) => ({ request: { verb, argument: null, token: "t-9" }, verdict: "abort" }) as const;

test.for([
  { of: canaryWorkload(asked("abort")), update: canaryInFlight, verb: "abort", result: "the canary is removed" },
  { of: canaryWorkload(asked("rollback")), update: canaryInFlight, verb: "rollback", result: "the canary is removed" },
  { of: updatingWorkload(asked("rollback")), update: inFlight, verb: "rollback", result: "the update is aborted" },
  { of: restartingWorkload(asked("abort")), update: restartInFlight, verb: "abort", result: "the restart is aborted" },
])("$verb is answered: $result", ({ of, update, verb, result }) => {
  expect(recordRollback(of, update, "aborted manually", noon).answer).toEqual({ token: "t-9", verb, result });
});

test.for(["reset", null])("the verdict stands beside another request: %s", (verb) => {
  const request = verb === null ? null : { verb, argument: null, token: "t-9" };
  const of = updatingWorkload({ request, verdict: "abort" });
  expect(recordRollback(of, inFlight, "aborted manually", noon)).not.toHaveProperty("answer");
});

test.for([
  { verdict: "abort" as const, status: "Withdrawn" },
  { verdict: null, status: "RolledBack" },
])("a release with the verdict $verdict is $status", ({ verdict, status }) => {
  const of = released([release(1), release(2)], "hash-1", { inFlight: claim, verdict, image: claim.target.image });
  const { updateRecord } = recordRollback(of, claim, "why", noon);
  expect(updateRecord?.versionHistory).toMatchObject([{ status }]);
});

test("an update that a person aborts does not sleep", () => {
  const zero = { ...completeRollout, desiredReplicas: 0 };
  expect(parkReason(updatingWorkload({ rollout: zero }), inFlight, noon)).toBe("NoReplicas");
  expect(parkReason(updatingWorkload({ rollout: zero, ...asked("abort") }), inFlight, noon)).toBeNull();
});
