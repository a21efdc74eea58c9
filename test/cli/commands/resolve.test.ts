import { describe, expect, test, vi } from "vitest";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const tags = "1.0.0\n1.1.0\n1.2.0\n2.0.0\nlatest\nsha-abc\n";

describe.concurrent("pawl resolve prints only the tag", () => {
  test.for([
    { when: "several are newer", args: ["--current", "1.0.0"], tag: "1.2.0" },
    { when: "the highest has failed", args: ["--current", "1.0.0", "--failed", "1.2.0"], tag: "1.1.0" },
    {
      when: "older versions are no answer",
      stdin: `${tags}1.3.0\n`,
      args: ["--current", "1.0.0", "--failed", "1.2.0", "--on-failure", "hold"],
      tag: "1.3.0",
    },
    { when: "several failed", args: ["--failed", "1.2.0, 1.1.0"], tag: "1.0.0" },
    { when: "--failed is given twice", args: ["--failed", "1.2.0", "--failed", "1.1.0"], tag: "1.0.0" },
    { when: "nothing runs yet", args: ["--current", ""], tag: "1.2.0" },
    { when: "a pattern is set", args: ["--pattern", "^1\\.0"], tag: "1.0.0" },
    {
      when: "lines have Windows line breaks and spaces",
      stdin: "\uFEFF1.0.0\r\n\r\n  v1.3.0 \r\n",
      args: [],
      tag: "v1.3.0",
    },
    { when: "the last line has no line break", stdin: "1.0.0\n1.4.0", args: [], tag: "1.4.0" },
  ])("$when: $tag", async ({ args, stdin = tags, tag }) => {
    const ran = await runPawl(["resolve", "--constraint", "^1.0.0", ...args], { stdin });
    expect(ran).toEqual({ stdout: `${tag}\n`, stderr: "", status: 0 });
  });
});

describe.concurrent("pawl resolve reads variants, or whole tags", () => {
  const alpine = "1.25.3-alpine\n1.26.0\n1.26.0-alpine\n1.26.0-perl\n1.27.0-rc.1-alpine\n";

  test.for([
    { args: ["--current", "1.25.3-alpine"], tag: "1.26.0-alpine" },
    { args: ["--current", "1.25.3-alpine", "--variant", "p*"], tag: "1.26.0-perl" },
    { args: ["--current", "1.25.3-alpine", "--constraint", ">=1-0"], tag: "1.27.0-rc.1-alpine" },
    { args: ["--versioning", "semver", "--current", "1.25.3-alpine"], tag: "1.26.0" },
    { args: ["--versioning", "semver", "--constraint", ">=1.26.0-b <1.26.0"], tag: "1.26.0-perl" },
    { args: ["--current", "latest"], tag: "1.26.0" },
    { args: [], tag: "1.26.0" },
  ])("$args: $tag", async ({ args, tag }) => {
    const ran = await runPawl(["resolve", ...args], { stdin: alpine });
    expect(ran).toEqual({ stdout: `${tag}\n`, stderr: "", status: 0 });
  });
});

describe.concurrent("pawl resolve prints the reason to stderr", () => {
  test.for([
    {
      when: "nothing is newer",
      args: ["--constraint", "^1.0.0", "--current", "1.2.0"],
      status: 1,
      message: "newer than 1.2.0",
    },
    {
      when: "the highest has failed and older ones are no answer",
      args: ["--constraint", "^1.0.0", "--failed", "1.2.0", "--on-failure", "hold"],
      status: 1,
      message: "1.2.0 failed; waits for a version newer than 1.2.0",
    },
    {
      when: "--on-failure is unknown",
      args: ["--constraint", "*", "--on-failure", "wait"],
      status: 2,
      message: "hold",
    },
    { when: "there are no tags", stdin: "", args: ["--constraint", "*"], status: 1, message: "no tags" },
    {
      when: "the constraint is invalid",
      args: ["--constraint", ">=1.0, one"],
      status: 2,
      message: '--constraint: "one"',
    },
    { when: "the versioning is misspelt", args: ["--versioning", "semvr"], status: 2, message: "container, semver" },
    { when: "the variant is invalid", args: ["--variant", "a|b"], status: 2, message: '--variant: "a|b"' },
    {
      when: "a whole tag has no variant",
      args: ["--versioning", "semver", "--variant", "alpine"],
      status: 2,
      message: "--variant: a tag of versioning semver",
    },
    { when: "no variant matches", args: ["--variant", "alp*"], status: 1, message: "a variant that matches alp*" },
    { when: "one part has no constraint", args: ["--current", "1"], stdin: "2\n", status: 1, message: "one part" },
    { when: "--current has no order", args: ["--current", "8e5f1a2"], status: 2, message: '--current: "8e5f1a2"' },
    {
      when: "--current is not a version",
      args: ["--versioning", "semver", "--constraint", "*", "--current", "latest"],
      status: 2,
      message: '--current: "latest"',
    },
    { when: "the pattern is invalid", args: ["--constraint", "*", "--pattern", "("], status: 2, message: "--pattern" },
    { when: "an option is unknown", args: ["--constraint", "*", "--newest"], status: 2, message: "--newest" },
    {
      when: "there are too many arguments",
      args: ["--constraint", "*", "1.0.0"],
      status: 2,
      message: "too many arguments",
    },
  ])("$when: status $status", async ({ args, stdin = tags, status, message }) => {
    const ran = await runPawl(["resolve", ...args], { stdin });
    expect(ran).toMatchObject({ stdout: "", status });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(message);
  });
});

test.for([
  { constraint: "^1.0.0", document: { tag: "1.2.0", reason: null }, status: 0 },
  { constraint: "^3.0.0", document: { tag: null, reason: "no version satisfies ^3.0.0" }, status: 1 },
])("--json with $constraint prints one document and exits with $status", async ({ constraint, document, status }) => {
  const ran = await runPawl(["resolve", "--constraint", constraint, "--json"], { stdin: tags });
  expect(JSON.parse(ran.stdout)).toEqual(document);
  expect(ran.status).toBe(status);
});
