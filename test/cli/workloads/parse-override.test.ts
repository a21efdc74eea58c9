import { describe, expect, test } from "vitest";
import { parseOverride } from "../../../cli/workloads/parse-override.ts";
import { workload } from "../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const asked = { verb: "push", argument: "1.1.0" } as const;
const known = {
  ...workload(),
  overrides: [],
  candidates: [{ version: "1.1.0", digest, since: "2026-11-20T12:00:00Z" }],
};
const other = `sha256:${"b".repeat(64)}`;

describe("a push with an override", () => {
  test.for([
    { when: "of the digest that waits", argument: "1.1.0", found: digest },
    { when: "of a digest that is given", argument: `1.1.0@${other}`, found: other },
  ])("is $when", ({ argument, found }) => {
    const parsed = parseOverride({ ...asked, argument }, known, { override: ["approval"], reason: "incident 7" });
    expect(parsed).toMatchObject({
      asked: { verb: "push", argument: "1.1.0", reason: "incident 7" },
      override: { gates: ["approval"], digest: found },
    });
  });

  test.for([
    { options: { override: ["approval"] }, message: "--override: --reason is missing" },
    { options: { override: ["approval"], reason: " " }, message: "--reason: is empty" },
    {
      options: { override: ["windows"], reason: "x" },
      message: "--override windows: only approval and signature can be",
    },
    { options: { override: ["approval"], reason: "x" }, argument: "1.2.0", message: "1.2.0: its digest is not known" },
    {
      options: { override: ["approval"], reason: "x" },
      argument: "1.1.0@",
      message: "1.1.0@: its digest is not known",
    },
  ])("is refused: $message", ({ options, argument = "1.1.0", message }) => {
    expect(() => parseOverride({ ...asked, argument }, known, options)).toThrow(message);
  });

  test("is refused where nothing records it", () => {
    const { overrides: _overrides, ...claw } = known;
    expect(() => parseOverride(asked, claw, { override: ["approval"], reason: "x" })).toThrow("has no AutoUpdate");
  });
});

test("a reason needs no override", () => {
  expect(parseOverride(asked, known, { reason: "incident 7" })).toEqual({ asked: { ...asked, reason: "incident 7" } });
  expect(parseOverride(asked, known, {})).toEqual({ asked });
});
