import { describe, expect, test } from "vitest";
import { imageA, imageB, imageC } from "../pools.ts";
import { hasB, rebooting, runsA, runsB, statusOutput } from "./hosts.ts";
import { about, asks, type Case, ended, failing, following, going, none, unreachable } from "./outcome-cases.ts";

describe("a node that reboots", () => {
  test.for<Case>([
    { when: "has not begun", outcome: { kind: "running" }, step: none },
    { when: "may be back", outcome: { kind: "running" }, seconds: 91, step: asks(imageB, about(imageB)) },
    { when: "was perhaps never told", outcome: { kind: "unknown" }, seconds: 60, step: asks(imageB, about(imageB)) },
    { when: "was never told", outcome: unreachable, step: asks("", about("")) },
    { when: "says nothing that can be read", outcome: ended("", "no"), step: asks(imageB, about(imageB)) },
    { when: "is going down", outcome: ended(statusOutput(imageA, imageB)), step: asks(imageB, about(imageB)) },
    {
      when: "is back, where SSM ran the script once more",
      outcome: ended(statusOutput(imageB), "No staged deployment found"),
      step: going(null, { images: runsB, command: null }),
    },
    {
      when: "is back on the old image, where SSM ran the script once more",
      outcome: ended(statusOutput(imageA), "No staged deployment found"),
      step: failing("bootc apply failed: it runs sha256:aaa", { images: runsA }),
    },
    {
      when: "refused to",
      outcome: ended(statusOutput(imageA, imageB), "the sysroot is locked"),
      step: failing("bootc apply failed: the sysroot is locked", { images: hasB }),
    },
  ])("$when", (one) => {
    expect(following({ of: rebooting, ...one, command: { kind: "apply" } })).toMatchObject(one.step);
  });
});

describe("a node that is asked what it runs after its reboot", () => {
  const reverted = { ...rebooting, desiredImage: imageA } as const;
  test.for<Case>([
    { when: "is away", outcome: unreachable, step: asks(imageB, about(imageB)) },
    {
      when: "runs its image",
      outcome: ended(statusOutput(imageB)),
      step: going(null, { images: runsB, command: null }),
    },
    { when: "is still going down", outcome: ended(statusOutput(imageA, imageB)), step: asks(imageB, about(imageB)) },
    {
      when: "never went down",
      outcome: ended(statusOutput(imageA, imageB)),
      seconds: 600,
      step: failing("bootc apply failed: not down after 600 s", { images: hasB }),
    },
    {
      when: "came back on the old image",
      outcome: ended(statusOutput(imageA)),
      step: failing("bootc apply failed: it runs sha256:aaa", { images: runsA }),
    },
    {
      when: "is called back and still going down",
      of: reverted,
      outcome: ended(statusOutput(imageA, imageB)),
      step: asks(imageB, about(imageB)),
    },
    {
      when: "is called back and never went down",
      of: reverted,
      outcome: ended(statusOutput(imageA, imageB)),
      seconds: 600,
      step: going(null, { images: hasB, command: null }),
    },
    {
      when: "runs what it was told, and is asked for yet another",
      of: { ...rebooting, desiredImage: imageC },
      outcome: ended(statusOutput(imageB)),
      step: { kind: "send", command: { action: "stage", image: imageC } },
    },
  ])("$when", (one) => {
    expect(following({ of: rebooting, ...one, command: { kind: "status" } })).toMatchObject(one.step);
  });
});
