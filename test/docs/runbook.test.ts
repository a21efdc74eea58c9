import { describe, expect, test } from "vitest";
import { annotations, clawAnnotations } from "../../functions/domain/workload/policy/annotations.ts";
import type { DegradedReason } from "../../functions/domain/node-pool/pool/node-pool.ts";
import { parseRequest } from "../../functions/domain/workload/request/person-request.ts";
import { answerRequest } from "../../functions/domain/workload/request/request.ts";
import { alarmNames } from "../../infra/constructs/alarms/alarm-names.ts";
import { readMachine } from "../machines/asl-files.ts";
import { workload } from "../support/workloads.ts";
import { readDocument, sectionsOf } from "./document.ts";

const text = readDocument("runbook.md");
const sections = sectionsOf(text, 2);

describe("docs/how-to/runbook.md", () => {
  test.for(alarmNames)("has a paragraph for the alarm %s: what it means, how to see, what to do", (name) => {
    const paragraph = sections.get(name) ?? "";
    expect(paragraph).toMatch(/\*\*Means:\*\*.*\*\*See:\*\*.*\*\*Do(:\*\*|\*\*,)/s);
  });

  test("has no paragraph for an alarm that there is not", () => {
    const isAlarm = (heading: string) => /^[a-z-]+$/.test(heading);
    expect([...sections.keys()].filter(isAlarm).toSorted()).toEqual(alarmNames.toSorted());
  });

  test("links to its own headings as GitHub spells them", () => {
    const anchors = [...sections.keys()].map((heading) => `#${heading.toLowerCase().replaceAll(" ", "-")}`);
    const links = [...text.matchAll(/\]\((#[^)]+)\)/g)].map(([, link]) => link);
    expect(anchors).toEqual(expect.arrayContaining(links));
  });

  test("explains every error by which the machine ends an update otherwise than by a rollback", () => {
    const ends = Object.values(readMachine("workload-update").States).filter(({ Type }) => Type === "Fail");
    const errors = ends
      .map((state) => String(state["Error"]))
      .filter((name) => !/^(RolledBack|CircuitOpened)$/.test(name));
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(sections.get("executions-failed")).toContain(`\`${error}\``);
  });

  test("explains every error by which the rollout of a node pool is broken off", () => {
    const ends = Object.values(readMachine("node-pool-rollout").States).filter(({ Type }) => Type === "Fail");
    const errors = ends.map((state) => String(state["Error"])).filter((name) => name !== "RolloutHalted");
    expect(errors.toSorted()).toEqual(["ClusterUnreachable", "PlatformError", "RolloutFailed"]);
    for (const error of errors) expect(sections.get("rollouts-failed")).toContain(`\`${error}\``);
  });

  test("explains every reason for which a node pool is degraded", () => {
    const reasons: Readonly<Record<Exclude<DegradedReason, "Healthy">, true>> = {
      TagResolutionError: true,
      InvalidSpec: true,
      RolloutHalted: true,
      RolledBack: true,
      SecretError: true,
      NodeConflict: true,
      NodeDegraded: true,
    };
    for (const reason of Object.keys(reasons))
      expect(sections.get("node-pool-degraded")).toContain(`| \`${reason}\` |`);
  });

  test("resets a circuit by every way to the same counters", () => {
    const reset = sectionsOf(readDocument("procedures.md"), 2).get("Reset a circuit") ?? "";
    const tripped = workload({ updateRecord: { circuitOpen: true, rollbackCount: 3, failedVersions: ["1.1.0"] } });
    const requests = [...reset.matchAll(/pawl\.dev\/request="(.*) \$\(date/g)].map(([, request]) => `${request} t-1`);
    const requested = requests.map((request) => answerRequest(tripped, parseRequest(request, [])!).updateRecord);
    const counters = { circuitOpen: false, rollbackCount: 0 };
    expect(requested).toEqual([counters, { ...counters, failedVersions: [] }]);
    const patches = [...reset.matchAll(/-p '(.*)'/g)].map(([, json = ""]) => JSON.parse(json) as unknown);
    expect(patches).toEqual([{ status: counters }, { status: { autoUpdate: counters } }]);
  });

  test("takes every annotation away but the image that a Claw is to run", () => {
    const uninstall = sectionsOf(readDocument("operate.md"), 2).get("Uninstall") ?? "";
    for (const key of Object.values(annotations)) expect(uninstall).toMatch(new RegExp(`${key}-(?=\\s)`));
    expect(uninstall).not.toContain(`${clawAnnotations.targetImage}-`);
  });

  test.for([
    { machine: "workload-update", seconds: 7 * 86_400, alarm: "executions-timed-out", expected: "seven days" },
    { machine: "node-pool-rollout", seconds: 86_400, alarm: "rollouts-failed", expected: "its time limit of a day" },
  ])("names the time limit of $machine", ({ machine, seconds, alarm, expected }) => {
    const { TimeoutSeconds } = readMachine(machine) as unknown as { TimeoutSeconds: number };
    expect(TimeoutSeconds).toBe(seconds);
    expect(sections.get(alarm)).toContain(expected);
  });
});
