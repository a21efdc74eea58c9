import { describe, expect, test } from "vitest";
import { invalidSelectorReason } from "../../../cli/input/label-selector.ts";

describe("valid for kubectl, too", () => {
  test.for([
    "app",
    "!app",
    "! app",
    "app=web",
    "app==web",
    "app = web",
    "app!=web",
    "app=",
    "app.kubernetes.io/name=web-1.2_3",
    "env in (a,b)",
    "env in(a)",
    "env notin ( a , b )",
    "in in (in)",
    "env in (a,b),app=web,!canary",
    "app=web, tier!=cache",
  ])("%j", (selector) => {
    expect(invalidSelectorReason(selector)).toBeNull();
  });
});

describe("refused", () => {
  test.for([
    { selector: "", invalid: "" },
    { selector: "app=web,", invalid: "" },
    { selector: "app=web=db", invalid: "app=web=db" },
    { selector: "app=web;tier=a", invalid: "app=web;tier=a" },
    { selector: "app web", invalid: "app web" },
    { selector: "env in a,b", invalid: "env in a" },
    { selector: "env in (a", invalid: "env in (a" },
    { selector: "env inside (a)", invalid: "env inside (a)" },
    { selector: "=web", invalid: "=web" },
    { selector: "!", invalid: "!" },
    { selector: "a/b/c=web", invalid: "a/b/c=web" },
    { selector: "/app=web", invalid: "/app=web" },
    { selector: "UPPER.case/app=web", invalid: "UPPER.case/app=web" },
    { selector: `app=${"x".repeat(64)}`, invalid: `app=${"x".repeat(64)}` },
    { selector: "app=-web", invalid: "app=-web" },
    { selector: "app=we\u001bb", invalid: "app=we\u001bb" },
  ])("$selector", ({ selector, invalid }) => {
    expect(invalidSelectorReason(selector)).toContain(`"${invalid}" is not a requirement`);
  });
});
