import { describe, expect, test, vi } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { runPawl } from "./run-pawl.ts";

// Each starts processes, which on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });

const verbs = [
  "resolve",
  "schedule",
  "image",
  "plan",
  "status",
  "pools",
  "history",
  "reset",
  "pause",
  "resume",
  "local",
];

describe.concurrent("pawl", () => {
  test("tells its version and its verbs", async () => {
    expect(await runPawl(["--version"])).toEqual({ stdout: `${manifest.version}\n`, stderr: "", status: 0 });
    const { stdout, status } = await runPawl(["--help"]);
    expect(status).toBe(0);
    for (const verb of verbs) expect(stdout).toContain(`\n  ${verb} `);
  });

  test.for(verbs)("explains %s, with an example", async (verb) => {
    const { stdout, stderr, status } = await runPawl([verb, "--help"]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toContain(`Usage: pawl ${verb}`);
    expect(stdout).toMatch(new RegExp(`\\nExamples?:\\n[^]*pawl ${verb}`));
    expect(stdout).toContain("--json");
  });

  test.for([
    { args: ["resolv"], says: "Did you mean resolve?" },
    { args: ["--loud"], says: "--loud" },
    { args: ["history"], says: "workload" },
    { args: ["status", "extra"], says: "too many arguments" },
    { args: ["pause", "pool/shop/web"], says: "has no namespace" },
  ])("takes $args for wrong input", async ({ args, says }) => {
    const ran = await runPawl(args);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(says);
  });

  test("without a verb prints its help on stderr", async () => {
    const { stdout, stderr, status } = await runPawl([]);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toContain("Usage: pawl");
  });

  test("shows where a failure came from only where it is asked to", async () => {
    const args = ["status", "--kubeconfig", "/none"];
    expect((await runPawl(args)).stderr).not.toContain("    at ");
    expect((await runPawl(args, { env: { PAWL_DEBUG: "1" } })).stderr).toContain("    at ");
  });
});
