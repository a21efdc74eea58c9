import { describe, expect, test } from "vitest";
import { commandOf, parseAction, type Verb } from "../../../cli/dashboard/actions.ts";

const target = "deployment/shop/web";

test.for<readonly [Verb, string | null, string]>([
  ["pause", null, "pawl pause deployment/shop/web"],
  ["promote", null, "pawl promote deployment/shop/web"],
  ["promote", "full", "pawl promote deployment/shop/web --full"],
  ["push", "1.4.2", "pawl push deployment/shop/web 1.4.2"],
  ["rollback", null, "pawl rollback deployment/shop/web"],
  ["rollback", "3", "pawl rollback deployment/shop/web --to 3"],
])("%s %s is the command %s", ([verb, argument, command]) => {
  expect(commandOf({ verb, target, argument })).toBe(command);
});

describe("a body", () => {
  test.for([
    { body: { verb: "pause", target }, argument: null },
    { body: { verb: "push", target, argument: "1.4.2" }, argument: "1.4.2" },
    { body: { verb: "rollback", target, argument: "3" }, argument: "3" },
    { body: { verb: "rollback", target, argument: null }, argument: null },
    { body: { verb: "promote", target, argument: "full", other: 1 }, argument: "full" },
  ])("$body is an action", ({ body, argument }) => {
    expect(parseAction(JSON.stringify(body))).toEqual({ verb: body.verb, target, argument });
  });

  test.for([
    "",
    "{",
    "null",
    "[]",
    '"pause"',
    JSON.stringify({ verb: "delete", target }),
    JSON.stringify({ verb: "toString", target }),
    JSON.stringify({ verb: "pause" }),
    JSON.stringify({ verb: "pause", target: 1 }),
    JSON.stringify({ verb: "pause", target, argument: "now" }),
    JSON.stringify({ verb: "push", target }),
    JSON.stringify({ verb: "push", target, argument: "" }),
    JSON.stringify({ verb: "push", target, argument: "1.0.0 token" }),
    JSON.stringify({ verb: "push", target, argument: "1".repeat(129) }),
    JSON.stringify({ verb: "push", target, argument: 1 }),
    JSON.stringify({ verb: "rollback", target, argument: "all" }),
    JSON.stringify({ verb: "promote", target, argument: "half" }),
  ])("%s is none", (body) => {
    expect(parseAction(body)).toBeNull();
  });
});
