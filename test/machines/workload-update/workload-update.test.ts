import { bakeCases } from "./bake-cases.ts";
import { canaryCases } from "./canary-cases.ts";
import { afterRollback, ordinary } from "./cases.ts";
import { bugs, platformErrors, refusals, refusedWrites, unreachable } from "./failures.ts";
import { gitCases } from "./git-cases.ts";
import { hookCases } from "./hook-cases.ts";
import { startWorkloadUpdate } from "./machine.ts";
import { releases } from "./release-cases.ts";
import { onDeleteCases } from "./on-delete-cases.ts";
import { restarts } from "./restart-cases.ts";
import { failedVerifications, verifyCases, withVerification } from "./verify-cases.ts";
import { testExecutions } from "../transition-coverage.ts";

testExecutions({
  machine: "workload-update",
  start: startWorkloadUpdate,
  tables: [
    { what: "a verification", cases: verifyCases },
    { what: "a verification that fails", cases: failedVerifications },
    { what: "an update", cases: ordinary },
    { what: "a canary", cases: canaryCases },
    { what: "a bake time", cases: bakeCases },
    { what: "a hook", cases: hookCases },
    { what: "an image that git names", cases: gitCases },
    { what: "a restart", cases: restarts },
    { what: "a release", cases: releases },
    { what: "an update pod by pod", cases: onDeleteCases },
    { what: "a failure after the rollback", cases: afterRollback },
    { what: "a refusal", cases: refusals },
    { what: "a refused write", cases: refusedWrites },
    { what: "a bug", cases: bugs },
    { what: "no answer", cases: unreachable },
    { what: "a platform error", cases: platformErrors },
  ].map(({ what, cases }) => ({ what, cases: withVerification(cases) })),
});
