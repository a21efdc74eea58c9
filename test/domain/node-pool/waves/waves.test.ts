import { expect, test } from "vitest";
import { parseSpec } from "../../../../functions/domain/node-pool/pool/spec.ts";
import { countNodes, parseWaves } from "../../../../functions/domain/node-pool/waves/waves.ts";
import { rawSpec } from "../pools.ts";

test("steps are parsed, and their nodes add up", () => {
  const steps = [
    { nodes: 1, soak: "1h" },
    { pause: {} },
    { nodes: "10%" },
    { pause: { duration: "30m" } },
    { nodes: "2" },
  ];
  const { spec, problems } = parseSpec({ ...rawSpec, steps });
  expect(problems).toEqual([]);
  expect(spec.steps).toEqual([
    { kind: "nodes", nodes: { unit: "nodes", amount: 1 }, soakSeconds: 3600 },
    { kind: "pause", seconds: null },
    { kind: "nodes", nodes: { unit: "percent", amount: 10 }, soakSeconds: 0 },
    { kind: "pause", seconds: 1800 },
    { kind: "nodes", nodes: { unit: "nodes", amount: 2 }, soakSeconds: 0 },
  ]);
  expect([0, 1, 2, 3, 4, 5].map((step) => countNodes(spec.steps, step, 25))).toEqual([0, 1, 1, 4, 4, 6]);
});

test.for([
  { steps: "all", problem: 'steps: "all" is not a list of at most 30 steps' },
  { steps: [{}], problem: "steps[0]: needs either nodes or pause" },
  { steps: [{ nodes: 1, pause: {} }], problem: "steps[0]: needs either nodes or pause" },
  { steps: [{ nodes: 0 }], problem: "steps[0].nodes: must be 1 node or more" },
  { steps: [{ nodes: -1 }], problem: 'steps[0].nodes: "-1"' },
  { steps: [{ nodes: 1.5 }], problem: 'steps[0].nodes: "1.5"' },
  { steps: [{ nodes: "half" }], problem: 'steps[0].nodes: "half"' },
  { steps: [{ nodes: true }], problem: "steps[0].nodes: true is not a number of nodes or a percentage" },
  { steps: [{ nodes: 1, soak: "soon" }], problem: "steps[0].soak: " },
  { steps: [{ nodes: 1, soak: "8d" }], problem: "steps[0].soak: " },
  { steps: [{ pause: {}, soak: "1h" }], problem: "steps[0].soak: is that of nodes; use pause.duration" },
  { steps: [{ pause: { duration: "0s" } }], problem: "steps[0].pause.duration: " },
  { steps: [{ nodes: 1, sok: "1h" }], problem: "steps[0].sok: " },
  { steps: [{ nodes: "60%" }, { nodes: "50%" }], problem: "steps: sum to 110% of the nodes" },
  { steps: Array.from({ length: 31 }, () => ({ nodes: 1 })), problem: "steps: " },
])("$steps is a problem of the pool", ({ steps, problem }) => {
  expect(parseWaves(steps).kind).toBe("invalid");
  const { spec, problems } = parseSpec({ ...rawSpec, steps });
  expect(spec.steps).toEqual([]);
  expect(problems[0]).toContain(problem);
});
