import { describe, expect, test } from "vitest";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { createPollBudget } from "../../../functions/domain/budget/poll-budget.ts";
import { placeWorkload } from "../../../functions/workflows/poll/place-workload.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { createCounters } from "../../../functions/workflows/poll/report.ts";
import { takeTurns } from "../../../functions/workflows/poll/take-turns.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { workload } from "../../support/workloads.ts";

function workloadOf(namespace: string, name: string, repository: string, policy = {}) {
  const image = `registry.example/${repository}:1.0.0`;
  const ref = { ...workload().ref, namespace, name, uid: `uid-of-${namespace}-${name}` };
  return workload({ ref, image, source: image, policy });
}

describe("namespaces take turns", () => {
  test("one repository each, whose workloads stay adjacent", () => {
    const many = Array.from({ length: 9 }, (_, index) => workloadOf("many", `${index}`, `many-${index % 3}`));
    const few = [workloadOf("few", "a", "few")];
    const ordered = takeTurns([...many, ...few].map((one) => placeWorkload(one, "poll")));
    const names = ordered.map(({ workload: { ref, source } }) => `${ref.namespace} ${source}`);
    expect(names.slice(0, 4).some((name) => name.startsWith("few"))).toBe(true);
    const repositories = names.filter((name) => name.startsWith("many"));
    expect(new Set([0, 3, 6].map((at) => repositories[at])).size).toBe(3);
    for (const at of [0, 3, 6]) expect(new Set(repositories.slice(at, at + 3)).size).toBe(1);
  });
});

/** A pattern and tags for which no match is found: more steps than a workload may have. */
const greedy = { versioning: "semver", versionConstraint: "*-0", tagPattern: "[a-y]{20}z" };
const tags = Array.from({ length: 40_000 }, (_, index) => `1.${index}.0-${"a".repeat(20)}`);

describe("a workload that costs too much", () => {
  test("is not evaluated, and stalls after three polls; its neighbour does not notice", async () => {
    const ports = fakePorts({
      workloads: [
        workloadOf("a", "greedy", "app", greedy),
        workloadOf("b", "honest", "app", { versionConstraint: "*-0" }),
      ],
      tags: { app: tags },
    });
    const warnings: string[] = [];
    const states: string[] = [];
    for (let poll = 1; poll <= 4; poll += 1) {
      const report = await pollCluster(ports, { warn: (message) => void warnings.push(message) });
      expect(report).toMatchObject({ evaluated: 2, failures: 0 });
      const { backOff } = ports.cluster.get("uid-of-a-greedy");
      states.push(`${backOff?.reason} ${backOff?.attempts}`);
    }
    expect(states).toEqual(["BudgetExceeded 1", "BudgetExceeded 2", "BudgetExceeded 3", "BudgetExceeded 3"]);
    expect(ports.cluster.get("uid-of-b-honest").backOff).toBeNull();
  });
});

describe("what a namespace may cause in one poll", () => {
  const many = () => [
    ...Array.from({ length: 5 }, (_, index) =>
      workloadOf("many", `${index}`, `app-${index}`, { versionConstraint: "^1" }),
    ),
    workloadOf("few", "a", "few", { versionConstraint: "^1" }),
  ];

  test.for([{ records: 2 }, { executions: 2 }])(
    "%o: the rest follows, and is counted and logged once",
    async (limit) => {
      const names = ["few", ...Array.from({ length: 5 }, (_, index) => `app-${index}`)];
      const listed = Object.fromEntries(names.map((name) => [name, ["1.0.0", "1.1.0"]]));
      const ports = {
        ...fakePorts({ workloads: many(), tags: listed }),
        limits: { namespace: limit, overrides: {}, maxConcurrent: 100, perNamespace: 100, perRepository: 100 },
      };
      const warnings: object[] = [];
      const warn = (message: string, about: object) => void warnings.push({ message, ...about });
      expect(await pollCluster(ports, { warn })).toMatchObject({ evaluated: 6, started: 3, failures: 0, failed: [] });
      expect(warnings).toEqual([
        {
          message: "budget exceeded",
          workload: expect.anything(),
          reason: expect.stringMatching("many has caused 2 "),
        },
      ]);
      expect(ports.metrics.pending.filter(({ name }) => name === "pawl_budget_exceeded_total")).toMatchObject([
        { value: 3, labels: { namespace: "many" } },
      ]);
      // Those that are updated by now are in flight.
      for (const started of [2, 1]) {
        const isStarted = ({ ref }: Workload) =>
          ports.executions.started.some(({ input }) => input.workload.uid === ref.uid);
        const rest = ports.cluster.all().filter((one) => !isStarted(one));
        expect(await pollCluster(ports, { selected: { workloads: rest.map(({ ref }) => ref) } })).toMatchObject({
          started,
        });
      }
      expect(ports.executions.started).toHaveLength(6);
    },
  );
});

test("the most expensive workloads are logged and counted, if they are worth a look", () => {
  const lines: object[] = [];
  const counters = createCounters((message, about) => void lines.push({ message, ...about }));
  const cost = (name: string, cpuMilliseconds: number) => ({
    workload: { kind: "Deployment", namespace: "a", name },
    cpuMilliseconds,
  });
  counters.addCosts([cost("greedy", 500), cost("usual", 2)]);
  expect(lines).toEqual([{ message: "most expensive workloads", workloads: [cost("greedy", 500)] }]);
  expect(counters.costs).toEqual([cost("greedy", 500)]);
  counters.addCosts([cost("usual", 2)]);
  expect(lines).toHaveLength(1);
});

test("a poll budget without settings has the defaults", async () => {
  const budget = createPollBudget({ clock: () => 0, cpuClock: () => 0, pause: async () => undefined });
  expect(await budget.decide(workload().ref, () => 1)).toBe(1);
});
