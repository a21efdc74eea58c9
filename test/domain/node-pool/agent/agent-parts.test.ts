import { describe, expect, test } from "vitest";
import { parseBootcStatus } from "../../../../functions/domain/node-pool/agent/bootc-status.ts";
import { formatCommand, parseCommand } from "../../../../functions/domain/node-pool/agent/command-record.ts";
import { digestTowards, isImage } from "../../../../functions/domain/node-pool/agent/digest-towards.ts";
import { instanceOf } from "../../../../functions/domain/node-pool/agent/instance.ts";
import { needsCommands } from "../../../../functions/domain/node-pool/agent/needs-commands.ts";
import { retryDelaySeconds } from "../../../../functions/domain/node-pool/agent/retry.ts";
import { bootcNode, digestA, digestB, digestC, imageA, imageB, member, pool, tick, updated } from "../pools.ts";
import { command, hasB, reported, statusOutput } from "./hosts.ts";

describe("bootc status", () => {
  test("names what a host has", () => {
    expect(parseBootcStatus(statusOutput(imageA, imageB))).toEqual({ kind: "images", images: hasB });
  });

  test("may leave out what an image does not say", () => {
    const host = { status: { booted: { image: { image: { image: imageA }, imageDigest: digestA, version: null } } } };
    const bare = { version: null, timestamp: null, architecture: null, softRebootCapable: false };
    expect(parseBootcStatus(JSON.stringify(host))).toEqual({
      kind: "images",
      images: { booted: { ...reported(imageA), ...bare }, staged: null, rollback: null },
    });
  });

  test.for([
    { when: "nothing", output: "" },
    { when: "half of it", output: statusOutput(imageA).slice(0, 200) },
    { when: "null", output: "null" },
    { when: "a host without an image", output: statusOutput(null) },
    { when: "an entry without one", output: JSON.stringify({ status: { booted: { image: null } } }) },
    {
      when: "one without a digest",
      output: JSON.stringify({ status: { booted: { image: { image: { image: "x" } } } } }),
    },
    { when: "an empty reference", output: JSON.stringify({ status: { booted: { image: { image: { image: "" } } } } }) },
  ])("$when is none", ({ output }) => {
    expect(parseBootcStatus(output)).toMatchObject({ kind: "invalid" });
  });
});

describe("a command's annotation", () => {
  test.for([
    { text: `c-1 stage 2026-11-20T12:00:00Z 0 ${imageB}`, is: command() },
    { text: `- apply 2026-11-20T12:00:00Z 7 ${imageB}`, is: command({ id: null, kind: "apply", attempts: 7 }) },
    { text: "c-1 status 2026-11-20T12:00:00Z 0", is: command({ kind: "status", image: "" }) },
  ])("$text", ({ text, is }) => {
    expect(formatCommand(is)).toBe(text);
    expect(parseCommand(text)).toEqual(is);
  });

  test.for([
    "",
    "c-1",
    "c-1 reboot 2026-11-20T12:00:00Z 0",
    "c-1 stage noon 0 x",
    "c-1 stage 2026-11-20T12:00:00Z x y",
  ])("%s is none", (text) => expect(parseCommand(text)).toBeNull());
});

test.for([
  { providerId: "aws:///eu-west-1a/i-0123456789abcdef0", instance: "i-0123456789abcdef0" },
  { providerId: "aws:///eu-west-1a/fargate-ip-10-0-0-1", instance: null },
  { providerId: "eks-hybrid:///eu-west-1/c/mi-0123456789abcdef0", instance: null },
  { providerId: null, instance: null },
])("$providerId is the instance $instance", ({ providerId, instance }) => {
  expect(instanceOf(providerId)).toBe(instance);
});

test("a node rests for 5 s after its first failure, and twice as long after each up to 320 s", () => {
  expect([1, 2, 3, 7, 8, 100].map(retryDelaySeconds)).toEqual([5, 10, 20, 320, 320, 320]);
});

test.for([
  { when: "the digest itself", has: reported(imageB), digest: digestB },
  {
    when: "that of its own architecture, and the reference names the other",
    has: reported(imageB, digestC),
    digest: digestB,
  },
  { when: "another", has: reported(imageA), digest: digestA },
  { when: "one by a tag", has: reported("quay.io/example/myos:latest", digestC), digest: digestC },
  { when: "none", has: null, digest: null },
])("of a node that has $when that counts", ({ has, digest }) => {
  expect(digestTowards(has, imageB)).toBe(digest);
  expect(isImage(has, imageB)).toBe(digest === digestB);
});

test("no digest is asked for by a tag", () => {
  expect([digestTowards(reported(imageA), "x:1"), isImage(null, "x:1")]).toEqual([digestA, false]);
});

test.for([
  { when: "a daemon does it", agent: "Daemon", of: {}, needs: false },
  { when: "a node is to stage", agent: "RunCommand", of: {}, needs: true },
  { when: "every node is up to date", agent: "RunCommand", of: updated, needs: false },
  { when: "a command is in flight", agent: "RunCommand", of: { ...updated, command: command() }, needs: true },
  {
    when: "a node rests",
    agent: "RunCommand",
    of: { error: "no", command: command({ id: null, attempts: 1 }) },
    needs: false,
  },
] as const)("whether a pool needs commands where $when: $needs", ({ agent, of, needs }) => {
  expect(needsCommands(tick([member("a", of)], { pool: pool({ agent }) }))).toBe(needs);
});

test("a pool that cannot be read needs no commands", () => {
  const nodes = [{ ...member("a"), bootcNode: { ...bootcNode, bootedDigest: null } }];
  expect(needsCommands(tick(nodes, { pool: pool({ agent: "RunCommand" }, { problems: ["no"] }) }))).toBe(false);
});
