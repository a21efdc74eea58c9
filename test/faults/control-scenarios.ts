import type { Scenario, WorkloadEnd } from "./scenario.ts";
import { about, canary, rolledBack, updated } from "./scenarios.ts";

/** The version before it is no better: nothing is blamed, whatever becomes of the dependency. */
const withdrawn: WorkloadEnd = { ...updated, failures: 1 };

export const controlScenarios: readonly Scenario[] = [
  {
    ...about("previous version unhealthy", {
      kind: "StatefulSet",
      repository: "bad",
      annotations: { "pawl.dev/max-rollbacks": "1" },
      end: {
        ...rolledBack,
        blamed: [],
        bad: ["1.1.0"],
        failures: 1,
        circuitOpen: true,
        result: "Withdrawn",
        isUnready: true,
      },
    }),
    outage: { hitsRunning: false, exits: false, end: null },
    withdrawals: 1,
  },
  {
    ...about("dependency down for both", { end: withdrawn }),
    outage: { hitsRunning: true, exits: false, end: { version: "1.1.0", seconds: 300 } },
    withdrawals: 1,
  },
  {
    ...about("outage that ends during the restore", { kind: "StatefulSet", end: withdrawn }),
    outage: { hitsRunning: false, exits: true, end: { version: "1.0.0", seconds: 20 } },
    withdrawals: 1,
  },
  {
    ...about("canary, dependency down for both", { annotations: canary, end: withdrawn }),
    outage: { hitsRunning: true, exits: false, end: { version: "1.1.0", seconds: 300 } },
    withdrawals: 1,
  },
];
