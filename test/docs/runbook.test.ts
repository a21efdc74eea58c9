import { describe, expect, test } from "vitest";
import { annotations, clawAnnotations } from "../../functions/domain/annotations.ts";
import { alarmNames } from "../../infra/constructs/alarm-names.ts";
import { readMachine } from "../machines/asl-files.ts";
import { readDocument, sectionsOf } from "./document.ts";

const text = readDocument("runbook.md");
const sections = sectionsOf(text, 2);

describe("docs/runbook.md", () => {
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

  test("takes every annotation away but the image that a Claw is to run", () => {
    const uninstall = sections.get("Uninstall") ?? "";
    for (const key of Object.values(annotations)) expect(uninstall).toMatch(new RegExp(`${key}-(?=\\s)`));
    expect(uninstall).not.toContain(`${clawAnnotations.targetImage}-`);
  });

  test("says of the machine's time limit what the machine says", () => {
    const { TimeoutSeconds } = readMachine("workload-update") as unknown as { TimeoutSeconds: number };
    expect(TimeoutSeconds).toBe(7 * 86_400);
    expect(sections.get("executions-timed-out")).toContain("seven days");
  });
});
