import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { fakeAws, refusalOf } from "../../support/aws/aws-services.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { runPawl } from "../run-pawl.ts";

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => [
    builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`),
  ]);
});
afterAll(() => fixture.close());

const calendar = "arn:aws:ssm:eu-west-1:123456789012:document/shop-closed";

/** Runs a command beside a configuration, on an account whose calendars have these states. */
async function run(args: readonly string[], shared: object | null, states: Readonly<Record<string, string>> = {}) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-gates-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "pawl.json");
  const eks = { clusterName: "prod", region: "eu-west-1" };
  await writeFile(file, JSON.stringify({ clusters: [{ name: "prod", eks }], ...shared }));
  await using aws = await fakeAws(({ body }) => {
    const { CalendarNames, AtTime = "" } = JSON.parse(body) as { CalendarNames: [string]; AtTime?: string };
    const state = states[[CalendarNames[0], AtTime].filter(Boolean).join(" ")];
    return state === undefined ? refusalOf("InvalidDocument") : { body: { State: state } };
  });
  const login = {
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_EC2_METADATA_DISABLED: "true",
  };
  const env = { KUBECONFIG: fixture.kubeconfig, AWS_ENDPOINT_URL: aws.options.endpoint, HOME: directory, ...login };
  const config = shared === null ? [] : ["-c", file];
  return await runPawl([...args, "--insecure-registry", fixture.registry, ...config], { env });
}

const yearly = { schedule: "0 3 29 2 *", scheduleTolerance: "1h" };

describe.for([["explain", "shop/web"], ["plan"]] as const)("pawl %s", (args) => {
  test.for<{ when: string; shared: object | null; states?: Readonly<Record<string, string>>; stdout: RegExp }>([
    {
      when: "is not named",
      shared: null,
      stdout: /not considered: +what a deployment says: .*name its pawl\.json with -c/i,
    },
    { when: "says nothing", shared: {}, stdout: /update to \S+1\.1\.0/ },
    {
      when: "enforces a schedule",
      shared: { defaults: [{ enforced: true, policy: yearly }] },
      stdout: /the schedule "0 3 29 2 \*" is not due/,
    },
    {
      when: "enforces approvals",
      shared: { defaults: [{ enforced: true, policy: { approval: { by: ["group:release"] } } }] },
      stdout: /1\.1\.0 needs 1 approval and has none|approvals prove nothing/,
    },
    { when: "freezes", shared: { freeze: [{ reason: "Christmas" }] }, stdout: /Christmas/ },
    {
      when: "names a closed calendar",
      shared: { changeCalendars: [calendar] },
      states: { [calendar]: "CLOSED" },
      stdout: /the change calendar shop-closed is closed/,
    },
    {
      when: "names no calendar that exists",
      shared: { changeCalendars: [calendar] },
      stdout: /change calendar \S+shop-closed: InvalidDocument/,
    },
  ])("if the configuration $when", async ({ shared, states, stdout }) => {
    const ran = await run(args, shared, states);
    expect(ran).toMatchObject({ stderr: expect.stringMatching(/^(pawl: \d+ evaluated: [^\n]+\n)?$/), status: 0 });
    expect(ran.stdout).toMatch(stdout);
    expect(/not considered/i.test(ran.stdout)).toBe(shared === null);
  });

  test("refuses a configuration that is invalid", async () => {
    expect(await run(args, { defaults: [{ policy: { schedule: "0 0 30 2 *" } }] })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("schedule"),
    });
  });
});

test("pawl plan --at asks calendars for their state at that time", async () => {
  const states = { [calendar]: "OPEN", [`${calendar} 2026-12-24T20:00:00.000Z`]: "CLOSED" };
  const shared = { changeCalendars: [calendar] };
  expect((await run(["plan"], shared, states)).stdout).not.toContain("is closed");
  expect((await run(["plan", "--at", "2026-12-24T20:00Z"], shared, states)).stdout).toContain("shop-closed is closed");
});
