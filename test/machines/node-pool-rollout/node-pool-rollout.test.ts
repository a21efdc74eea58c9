import { endings, rounds } from "./cases.ts";
import { bugs, platformErrors, unreachable } from "./failures.ts";
import { startNodePoolRollout } from "./machine.ts";
import { testExecutions } from "../transition-coverage.ts";

testExecutions({
  machine: "node-pool-rollout",
  start: startNodePoolRollout,
  tables: [
    { what: "a rollout", cases: rounds },
    { what: "an ending", cases: endings },
    { what: "a bug", cases: bugs },
    { what: "no answer", cases: unreachable },
    { what: "a platform error", cases: platformErrors },
  ],
});
