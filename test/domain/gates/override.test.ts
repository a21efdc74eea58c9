import { describe, expect, test } from "vitest";
import { formatOverride, type Override, overrideKey, readOverrides } from "../../../functions/domain/gates/override.ts";
import { overrideFor } from "../../../functions/domain/gates/find-override.ts";
import type { PersonRequest } from "../../../functions/domain/workload/request/person-request.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import { after, updatingWorkload, target as image, workload } from "../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const override: Override = {
  user: "anna",
  gates: ["signature"],
  version: "1.1.0",
  digest,
  token: "t-1",
  at: "2026-11-20T12:00:00Z",
  reason: "incident 7",
};
const request: PersonRequest = { verb: "push", argument: "1.1.0", token: "t-1", by: "anna" };
const target: Target = { kind: "image", image, digest };
const text = formatOverride(override, "uid-1");

describe("an annotation is read", () => {
  test("as it was written", () => {
    expect(readOverrides({ [overrideKey("anna")]: text, other: "x" }, "uid-1")).toEqual([override]);
  });

  test.for<[string, string, string, string | undefined]>([
    ["in a copy of the object", overrideKey("anna"), text, "uid-2"],
    ["without the uid of an object", overrideKey("anna"), text, undefined],
    ["under the name of another user", overrideKey("bob"), text, "uid-1"],
    ["without a user", overrideKey("anna"), text.replace("user anna", "user "), "uid-1"],
    ["with an unknown gate", overrideKey("anna"), text.replace("gate signature", "gate windows"), "uid-1"],
    ["without a digest", overrideKey("anna"), text.replace(`@${digest}`, ""), "uid-1"],
    ["without a push", overrideKey("anna"), text.replace("push ", "pull "), "uid-1"],
    ["without a time", overrideKey("anna"), text.replace("at 2026", "on 2026"), "uid-1"],
    ["without a token", overrideKey("anna"), text.replace("token t-1", ""), "uid-1"],
    ["without a reason", overrideKey("anna"), text.replace("message incident 7", ""), "uid-1"],
    ["with an invalid time", overrideKey("anna"), text.replace("at 2026", "at x2026"), "uid-1"],
    ["that is too long", overrideKey("anna"), `${text}${" ".repeat(2048)}`, "uid-1"],
    ["that is empty", overrideKey("anna"), "", "uid-1"],
    ["of another domain", "approval.pawl.dev/x", text, "uid-1"],
  ])("as none %s", ([, key, written, uid]) => {
    expect(readOverrides({ [key]: written }, uid)).toEqual([]);
  });
});

describe("an override counts for one target", () => {
  test.for<{
    when: string;
    asked?: PersonRequest | null;
    of?: Target;
    gate?: "approval" | "signature";
    counts: boolean;
  }>([
    { when: "its push", counts: true },
    { when: "its push, and another gate", gate: "approval", counts: false },
    { when: "no push", asked: null, counts: false },
    { when: "a push of another person", asked: { ...request, by: "bob" }, counts: false },
    { when: "a push of somebody unknown", asked: { verb: "push", argument: "1.1.0", token: "t-1" }, counts: false },
    { when: "a later push", asked: { ...request, token: "t-2" }, counts: false },
    { when: "a push of another version", asked: { ...request, argument: "1.2.0" }, counts: false },
    { when: "another request", asked: { ...request, verb: "retry" }, counts: false },
    { when: "a tag that has moved", of: { ...target, digest: "sha256:b" }, counts: false },
    { when: "a digest that is not known", of: { kind: "image", image }, counts: false },
    { when: "another tag with the digest", of: { ...target, image: `${image}-x` }, counts: false },
    { when: "a restart for the digest", of: { kind: "digest", image, digest }, counts: false },
  ])("$when: $counts", ({ asked = request, of = target, gate = "signature", counts }) => {
    const found = overrideFor({ ...workload(), request: asked, overrides: [override] }, of, gate);
    expect(found).toEqual(counts ? override : null);
  });

  test("until its update is over, also if the request was answered", () => {
    const updating = { ...updatingWorkload(), request: null, overrides: [override] };
    expect(overrideFor(updating, target, "signature")).toEqual(override);
    expect(overrideFor(updating, { ...target, digest: "sha256:b" }, "signature")).toBeNull();
    expect(overrideFor({ ...updating, overrides: [] }, target, "signature")).toBeNull();
  });

  test.for([
    { when: "its update has ended", began: 1, version: "1.1.0", counts: false },
    { when: "an update to the version had ended before", began: -1, version: "1.1.0", counts: true },
    { when: "an update to another version has ended", began: 1, version: "1.2.0", counts: true },
  ])("once: $when", ({ began, version, counts }) => {
    const ended = { version, appliedAt: after(began), status: "Healthy" } as const;
    const updating = { ...updatingWorkload({ updateRecord: { versionHistory: [ended] } }), request: null };
    expect(overrideFor({ ...updating, overrides: [override] }, target, "signature") !== null).toBe(counts);
  });

  test("and none without overrides", () => {
    expect(overrideFor({ ...workload(), request }, target, "signature")).toBeNull();
    expect(overrideFor({ ...updatingWorkload(), request: null }, target, "signature")).toBeNull();
  });
});
