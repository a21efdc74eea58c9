import { describe, expect, test } from "vitest";
import { imageA, imageB, imageC } from "../pools.ts";
import { hasB, rebooting, runsA, runsB, statusOutput } from "./hosts.ts";
import {
  statusCommand,
  queriesStatus,
  type Case,
  ended,
  reportsError,
  nextStep,
  reportsActivity,
  noStep,
  unreachable,
} from "./outcome-cases.ts";

describe("a node that reboots", () => {
  test.for<Case>([
    { when: "has not started", outcome: { kind: "running" }, expected: noStep },
    {
      when: "may be back",
      outcome: { kind: "running" },
      seconds: 91,
      expected: queriesStatus(imageB, statusCommand(imageB)),
    },
    {
      when: "may not have received the command",
      outcome: { kind: "unknown" },
      seconds: 60,
      expected: queriesStatus(imageB, statusCommand(imageB)),
    },
    { when: "did not receive the command", outcome: unreachable, expected: queriesStatus("", statusCommand("")) },
    {
      when: "returns no valid output",
      outcome: ended("", "no"),
      expected: queriesStatus(imageB, statusCommand(imageB)),
    },
    {
      when: "is going down",
      outcome: ended(statusOutput(imageA, imageB)),
      expected: queriesStatus(imageB, statusCommand(imageB)),
    },
    {
      when: "is back, and SSM ran the script again",
      outcome: ended(statusOutput(imageB), "No staged deployment found"),
      expected: reportsActivity(null, { images: runsB, command: null }),
    },
    {
      when: "is back on the previous image, and SSM ran the script again",
      outcome: ended(statusOutput(imageA), "No staged deployment found"),
      expected: reportsError("bootc apply failed: it runs sha256:aaa", { images: runsA }),
    },
    {
      when: "failed to reboot",
      outcome: ended(statusOutput(imageA, imageB), "the sysroot is locked"),
      expected: reportsError("bootc apply failed: the sysroot is locked", { images: hasB }),
    },
  ])("$when", (one) => {
    expect(nextStep({ bootcNode: rebooting, ...one, command: { kind: "apply" } })).toMatchObject(one.expected);
  });
});

describe("a node whose status is queried after its reboot", () => {
  const reverted = { ...rebooting, desiredImage: imageA } as const;
  test.for<Case>([
    { when: "is unreachable", outcome: unreachable, expected: queriesStatus(imageB, statusCommand(imageB)) },
    {
      when: "runs the desired image",
      outcome: ended(statusOutput(imageB)),
      expected: reportsActivity(null, { images: runsB, command: null }),
    },
    {
      when: "is still going down",
      outcome: ended(statusOutput(imageA, imageB)),
      expected: queriesStatus(imageB, statusCommand(imageB)),
    },
    {
      when: "never went down",
      outcome: ended(statusOutput(imageA, imageB)),
      seconds: 600,
      expected: reportsError("bootc apply failed: not down after 600 s", { images: hasB }),
    },
    {
      when: "is back on the previous image",
      outcome: ended(statusOutput(imageA)),
      expected: reportsError("bootc apply failed: it runs sha256:aaa", { images: runsA }),
    },
    {
      when: "was requested to return, and is still going down",
      bootcNode: reverted,
      outcome: ended(statusOutput(imageA, imageB)),
      expected: queriesStatus(imageB, statusCommand(imageB)),
    },
    {
      when: "was requested to return, and never went down",
      bootcNode: reverted,
      outcome: ended(statusOutput(imageA, imageB)),
      seconds: 600,
      expected: reportsActivity(null, { images: hasB, command: null }),
    },
    {
      when: "runs the applied image, and another is requested",
      bootcNode: { ...rebooting, desiredImage: imageC },
      outcome: ended(statusOutput(imageB)),
      expected: { kind: "send", command: { action: "stage", image: imageC } },
    },
  ])("$when", (one) => {
    expect(nextStep({ bootcNode: rebooting, ...one, command: { kind: "status" } })).toMatchObject(one.expected);
  });
});
