import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { addFreeze, liftFreezes } from "../../cli/freeze/edit-freezes.ts";
import { parseFreezes } from "../../functions/domain/gates/parse-freezes.ts";
import { builtIn, type ClusterFixture, startClusterFixture } from "./cluster-fixture.ts";
import { proxiedKubeconfig } from "./identity-proxy.ts";
import { runPawl } from "./run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const now = new Date("2026-11-20T12:00:00Z");
const incident = { from: "2026-11-20T11:00:00Z", reason: "incident 7" };

describe("the text of the ConfigMap", () => {
  test("keeps comments and what begins later", () => {
    const calendar = "# Ask the release team.\n- reason: Christmas # each year\n  from: 2026-12-20\n";
    const frozen = addFreeze(calendar, incident);
    const { text, lifted, later } = liftFreezes(frozen, now);
    expect(frozen).toContain("incident 7");
    expect(text).toContain("# Ask the release team.");
    expect(text).toContain("Christmas # each year");
    expect(text).not.toContain("incident 7");
    expect([lifted, later].map((freezes) => freezes.map(({ reason }) => reason))).toEqual([
      ["incident 7"],
      ["Christmas"],
    ]);
  });

  test("loses what is over, and lists it neither as lifted nor as later", () => {
    const { text, lifted, later } = liftFreezes("- { reason: old, to: 2026-11-01 }", now);
    expect({ text: text.trim(), lifted, later }).toEqual({ text: "[]", lifted: [], later: [] });
  });

  test.for(["{", "reason: x", "- { until: x }", "- { reason: x, to: someday }"])(
    "is not replaced if it is %s",
    (text) => {
      expect(() => liftFreezes(text, now)).toThrow("ConfigMap pawl-freeze");
    },
  );

  test("is not written with a time that is invalid", () => {
    expect(() => addFreeze("", { ...incident, to: "someday" })).toThrow("2026-12-20");
  });
});

describe("on a cluster", () => {
  let fixture: ClusterFixture;
  beforeAll(async () => {
    fixture = await startClusterFixture({ "shop/web": ["1.0.0", "1.1.0"] }, (registry) => [
      builtIn("Deployment", "web", `${registry}/shop/web:1.0.0`),
    ]);
  });
  afterAll(() => fixture.close());
  const text = async () => (await fixture.cluster.readFreeze()) as { readonly text: string | null };

  test("pawl freeze holds updates, pawl explain says why, and pawl unfreeze lifts it", async () => {
    expect(await fixture.pawl("unfreeze")).toMatchObject({ status: 1, stdout: "no freeze is active\n" });
    const frozen = await fixture.pawl("freeze", "incident", "7", "--only", "shop");
    expect(frozen).toMatchObject({ status: 0, stdout: "frozen: no update starts in shop\n" });
    expect(await text()).toMatchObject({ text: expect.stringContaining("reason: incident 7") });
    const explained = await fixture.pawl("explain", "shop/web", "--insecure-registry", fixture.registry, "--json");
    expect(JSON.parse(explained.stdout).gates).toMatchObject([
      { name: "freeze", reason: "Frozen", message: expect.stringContaining("incident 7"), liftedBy: "pawl unfreeze" },
    ]);
    const more = await fixture.pawl("freeze", "Christmas", "--until", "2999-12-27", "--roll-back", "--json");
    expect(JSON.parse(more.stdout)).toMatchObject({ reason: "Christmas", to: "2999-12-27", rollBack: true });
    const lifted = await fixture.pawl("unfreeze");
    expect(lifted.stdout).toMatch(/^lifted: incident 7, .*\nlifted: Christmas, .*until 2999-12-27T00:00:00Z\n$/);
    expect(await text()).toMatchObject({ text: "[]\n" });
  });

  test.for([
    { username: "anna@example.com", by: "anna@example.com" },
    { username: `system:serviceaccount:${"x".repeat(300)}`, by: `system:serviceaccount:${"x".repeat(106)}` },
    { username: "", by: undefined },
  ])("pawl freeze has the name $by and the time that the API server says", async ({ username, by }) => {
    const directory = await mkdtemp(join(tmpdir(), "pawl-freeze-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    // The laptop is a day behind: by its clock, the freeze would begin in the future.
    const dayAhead = () => new Date(Date.now() + 86_400_000);
    const KUBECONFIG = await proxiedKubeconfig(fixture.kubeconfig, directory, { username, now: dayAhead });
    const before = dayAhead().getTime();
    const frozen = await runPawl(["freeze", "incident", "7", "--json"], { env: { KUBECONFIG } });
    const written = JSON.parse(frozen.stdout);
    expect(written.by).toBe(by);
    expect(Math.abs(new Date(written.from).getTime() - before)).toBeLessThan(600_000);
    expect(parseFreezes(parse((await text()).text ?? ""))).toMatchObject({
      kind: "valid",
      value: [{ by: by ?? null }],
    });
    const lifted = await runPawl(["unfreeze"], { env: { KUBECONFIG } });
    expect(lifted).toMatchObject({ status: 0, stdout: expect.stringContaining("lifted: incident 7") });
  });

  test("pawl freeze with an invalid end writes nothing", async () => {
    const { status, stderr } = await fixture.pawl("freeze", "x", "--until", "someday");
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("2026-12-20") });
  });

  test("pawl plan --at evaluates all gates at a time", async () => {
    const flags = ["--insecure-registry", fixture.registry, "--json"];
    expect(await fixture.pawl("freeze", "Christmas", "--until", "2099-12-27")).toMatchObject({ status: 0 });
    const planAt = async (time: string) => {
      const { stdout } = await fixture.pawl("plan", "-n", "shop", "--at", time, ...flags);
      return JSON.parse(stdout)[0];
    };
    expect(await planAt("2099-12-24T20:00Z")).toMatchObject({
      reason: "Frozen",
      candidate: "1.1.0",
      gates: [{ name: "freeze", message: expect.stringContaining("Christmas"), until: "2099-12-27T00:00:00.000Z" }],
    });
    expect(await planAt("2099-12-28T20:00:00+01:00")).toMatchObject({ state: "Behind", candidate: "1.1.0", gates: [] });
    const wrong = await fixture.pawl("plan", "--at", "tomorrow");
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining("2026-12-24T20:00Z") });
    await fixture.pawl("unfreeze");
  });
});
