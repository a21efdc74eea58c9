import { canaryBugs, canaryCases, canaryUnanswered } from "./workload-update-canary-cases.ts";
import { bugs, ordinary, unanswered } from "./workload-update-cases.ts";
import { startWorkloadUpdate } from "./workload-update-machine.ts";
import { restarts } from "./workload-update-restart-cases.ts";
import { testExecutions } from "./transition-coverage.ts";

testExecutions({
  machine: "workload-update",
  start: startWorkloadUpdate,
  tables: [
    { what: "an update", cases: ordinary },
    { what: "a canary", cases: canaryCases },
    { what: "a restart", cases: restarts },
    { what: "a bug", cases: bugs },
    { what: "a bug of a canary", cases: canaryBugs },
    { what: "no answer to a canary", cases: canaryUnanswered },
    { what: "no answer", cases: unanswered },
  ],
});
