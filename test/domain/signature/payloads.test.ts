import { describe, expect, test } from "vitest";
import { describeAuthority } from "../../../functions/domain/signature/authority.ts";
import { payloadReason } from "../../../functions/domain/signature/simple-signing.ts";
import {
  builderOfProvenance,
  parsePredicateType,
  parseStatement,
  predicateAliases,
  signaturePredicate,
  statementPayloadType,
} from "../../../functions/domain/signature/statement.ts";

const hex = "ab".repeat(32);
const digest = `sha256:${hex}`;

describe("a payload of simple signing", () => {
  const type = "cosign container image signature";
  const critical = { identity: { "docker-reference": "r" }, image: { "docker-manifest-digest": digest }, type };

  test.for<{ when: string; payload: unknown; reason: string }>([
    { when: "it is of the digest", payload: { critical, optional: null }, reason: "none" },
    { when: "it has more fields", payload: { critical: { ...critical, more: 1 }, optional: { a: 1 } }, reason: "none" },
    {
      when: "the reference has a tag",
      payload: { critical: { ...critical, identity: { "docker-reference": "r:1" } } },
      reason: "none",
    },
    {
      when: "it is of another",
      payload: { critical: { ...critical, image: { "docker-manifest-digest": `${digest}0` } } },
      reason: "another digest",
    },
    { when: "the type is another", payload: { critical: { ...critical, type: "x" } }, reason: "not a cosign" },
    { when: "it is no object", payload: null, reason: "not a cosign" },
    {
      when: "the field is spelt as in the specification's example",
      payload: { critical: { ...critical, image: { "Docker-manifest-digest": digest } } },
      reason: "not a cosign",
    },
  ])("if $when: $reason", ({ payload, reason }) => {
    expect(payloadReason(payload, digest) ?? "none").toContain(reason);
  });
});

describe("a statement", () => {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "r", digest: { sha512: "00", sha256: hex } }],
    predicateType: signaturePredicate,
  };

  test("about the digest is returned with its predicate", () => {
    const predicate = { a: 1 };
    expect(parseStatement(statementPayloadType, { ...statement, predicate }, digest)).toEqual({
      predicateType: signaturePredicate,
      predicate,
    });
    const old = { ...statement, _type: "https://in-toto.io/Statement/v0.1" };
    expect(parseStatement(statementPayloadType, old, digest)).toMatchObject({ predicateType: signaturePredicate });
  });

  test.for<{ payloadType?: string; change: object | null; reason: string }>([
    { payloadType: "application/json", change: {}, reason: "not an in-toto statement" },
    { change: { _type: "x" }, reason: "invalid" },
    { change: { subject: {} }, reason: "invalid" },
    { change: { subject: [] }, reason: "another digest" },
    { change: { subject: [{ digest: { sha256: `${hex}0` } }] }, reason: "another digest" },
    { change: { subject: [{ digest: {} }] }, reason: "another digest" },
    { change: null, reason: "invalid" },
  ])("with $change of type $payloadType states nothing", ({ payloadType = statementPayloadType, change, reason }) => {
    expect(parseStatement(payloadType, change === null ? null : { ...statement, ...change }, digest)).toContain(reason);
  });

  test("about a digest without an algorithm states nothing", () => {
    expect(parseStatement(statementPayloadType, statement, "")).toContain("another digest");
  });
});

test.for([
  [{ runDetails: { builder: { id: "b" } } }, "b"],
  [{ builder: { id: "b" } }, "b"],
  [{ builder: {} }, null],
  [null, null],
] as const)("the builder of %j is %s", ([predicate, builder]) => {
  expect(builderOfProvenance(predicate)).toBe(builder);
});

test("a predicate type is a URL or a short name", () => {
  expect(parsePredicateType("slsaprovenance1")).toBe("https://slsa.dev/provenance/v1");
  expect(parsePredicateType("https://example.com/x")).toBe("https://example.com/x");
  for (const text of ["slsaprovenance3", "", "toString"]) expect(parsePredicateType(text)).toBeNull();
  for (const alias of predicateAliases) expect(URL.canParse(parsePredicateType(alias) ?? "")).toBe(true);
});

test("an authority is described by its key, or by its identity and issuer", () => {
  const key = { kind: "key", name: "a.pub", publicKey: "", transparencyLog: "optional", trustedRoot: null } as const;
  expect(describeAuthority(key)).toBe("key a.pub");
  expect(describeAuthority({ kind: "keyless", identity: "a@b", issuer: "https://c", trustedRoot: null })).toBe(
    "a@b by https://c",
  );
});
