import { describe, expect, test } from "vitest";
import { parseBootcStatus } from "../../../../functions/domain/node-pool/agent/bootc-status.ts";
import { formatCommand, parseCommand } from "../../../../functions/domain/node-pool/agent/command-annotation.ts";
import { matchDigest, isSameNodeImage } from "../../../../functions/domain/node-pool/agent/match-digest.ts";
import { needsCommands } from "../../../../functions/domain/node-pool/agent/needs-commands.ts";
import { retryDelaySeconds } from "../../../../functions/domain/node-pool/agent/retry.ts";
import { bootcNode, digestA, digestB, digestC, imageA, imageB, member, pool, poolState, updated } from "../pools.ts";
import { command, hasB, reported, statusOutput } from "./hosts.ts";

describe("bootc status", () => {
  test("lists the images of a host", () => {
    expect(parseBootcStatus(statusOutput(imageA, imageB))).toEqual({ kind: "images", images: hasB });
  });

  test("may omit labels of an image", () => {
    const host = { status: { booted: { image: { image: { image: imageA }, imageDigest: digestA, version: null } } } };
    const bare = { version: null, timestamp: null, architecture: null, softRebootCapable: false };
    expect(parseBootcStatus(JSON.stringify(host))).toEqual({
      kind: "images",
      images: { booted: { ...reported(imageA), ...bare }, staged: null, rollback: null },
    });
  });

  test.for([
    { when: "nothing", output: "" },
    { when: "truncated output", output: statusOutput(imageA).slice(0, 200) },
    { when: "null", output: "null" },
    { when: "a host without an image", output: statusOutput(null) },
    { when: "an entry without an image", output: JSON.stringify({ status: { booted: { image: null } } }) },
    {
      when: "an image without a digest",
      output: JSON.stringify({ status: { booted: { image: { image: { image: "x" } } } } }),
    },
    {
      when: "an empty image reference",
      output: JSON.stringify({ status: { booted: { image: { image: { image: "" } } } } }),
    },
  ])("$when is invalid", ({ output }) => {
    expect(parseBootcStatus(output)).toMatchObject({ kind: "invalid" });
  });
});

describe("the annotation of a command", () => {
  test.for([
    { text: `c-1 stage 2026-11-20T12:00:00Z 0 ${imageB}`, expected: command() },
    { text: `- apply 2026-11-20T12:00:00Z 7 ${imageB}`, expected: command({ id: null, kind: "apply", attempts: 7 }) },
    { text: "c-1 status 2026-11-20T12:00:00Z 0", expected: command({ kind: "status", image: "" }) },
  ])("$text", ({ text, expected }) => {
    expect(formatCommand(expected)).toBe(text);
    expect(parseCommand(text)).toEqual(expected);
  });

  test.for([
    "",
    "c-1",
    "c-1 reboot 2026-11-20T12:00:00Z 0",
    "c-1 stage noon 0 x",
    "c-1 stage 2026-11-20T12:00:00Z x y",
  ])("%s is invalid", (text) => expect(parseCommand(text)).toBeNull());
});

test("the back-off is 5 s after the first failure, and doubles up to 1,280 s", () => {
  expect([1, 2, 3, 7, 8, 9, 10, 100].map(retryDelaySeconds)).toEqual([5, 10, 20, 320, 640, 1280, 1280, 1280]);
});

test.for([
  { when: "the digest itself", has: reported(imageB), digest: digestB },
  {
    when: "the digest of its architecture, and a reference to the index",
    has: reported(imageB, digestC),
    digest: digestB,
  },
  { when: "another image", has: reported(imageA), digest: digestA },
  { when: "an image by tag", has: reported("quay.io/example/myos:latest", digestC), digest: digestC },
  { when: "no image", has: null, digest: null },
])("matched digest of a node that has $when", ({ has, digest }) => {
  expect(matchDigest(has, imageB)).toBe(digest);
  expect(isSameNodeImage(has, imageB)).toBe(digest === digestB);
});

test("a desired tag matches no digest", () => {
  expect([matchDigest(reported(imageA), "x:1"), isSameNodeImage(null, "x:1")]).toEqual([digestA, false]);
});

test.for([
  { when: "it has daemons", agent: "Daemon", bootc: {}, needs: false },
  { when: "a node must stage", agent: "RunCommand", bootc: {}, needs: true },
  { when: "every node is up to date", agent: "RunCommand", bootc: updated, needs: false },
  { when: "a command is in flight", agent: "RunCommand", bootc: { ...updated, command: command() }, needs: true },
  {
    when: "a node backs off",
    agent: "RunCommand",
    bootc: { error: "no", command: command({ id: null, attempts: 1 }) },
    needs: false,
  },
] as const)("needs commands if $when: $needs", ({ agent, bootc, needs }) => {
  expect(needsCommands(poolState([member("a", bootc)], { pool: pool({ agent }) }))).toBe(needs);
});

test("an invalid pool needs no commands", () => {
  const nodes = [{ ...member("a"), bootcNode: { ...bootcNode, bootedDigest: null } }];
  expect(needsCommands(poolState(nodes, { pool: pool({ agent: "RunCommand" }, { problems: ["no"] }) }))).toBe(false);
});
