import { describe, expect, test, vi } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { runPawl, spawnPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const commands = [
  "init",
  "doctor",
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
  test("prints its version and its commands", async () => {
    expect(await spawnPawl(["--version"])).toEqual({ stdout: `${manifest.version}\n`, stderr: "", status: 0 });
    const { stdout, status } = await runPawl(["--help"]);
    expect(status).toBe(0);
    for (const command of commands) expect(stdout).toContain(`\n  ${command} `);
  });

  test.for(commands)("explains %s, with an example", async (command) => {
    const { stdout, stderr, status } = await runPawl([command, "--help"]);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toContain(`Usage: pawl ${command}`);
    expect(stdout).toMatch(new RegExp(`\\nExamples?:\\n[^]*pawl ${command}`));
    expect(stdout).toContain("--json");
  });

  test.for([
    { args: ["resolv"], message: "(Did you mean resolve?); see: pawl --help" },
    { args: ["--loud"], message: "--loud" },
    { args: ["history"], message: "name one, or select some with -l" },
    { args: ["releases"], message: "missing required argument 'workload'; see: pawl releases --help" },
    { args: ["toString"], message: "unknown command 'toString'; see: pawl --help" },
    { args: ["schedule", "@daily", "extra"], message: "@daily, extra; see: pawl schedule --help" },
    { args: ["local", "--metric-login", "http://p.example=/f"], message: "login in clear text" },
    { args: ["pause", "pool/shop/web"], message: "has no namespace" },
  ])("rejects $args as invalid input", async ({ args, message }) => {
    const ran = await runPawl(args);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(message);
  });

  test("without a command prints its help on stderr", async () => {
    const { stdout, stderr, status } = await runPawl([]);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(stderr).toContain("Usage: pawl");
  });

  test("prints the stack of an error only with PAWL_DEBUG", async () => {
    const args = ["status", "--kubeconfig", "/none"];
    expect((await runPawl(args)).stderr).not.toContain("    at ");
    expect((await runPawl(args, { env: { PAWL_DEBUG: "1" } })).stderr).toContain("    at ");
  });
});
