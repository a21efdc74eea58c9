import { describe, expect, test, vi } from "vitest";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const from = ["--after", "2026-03-27T12:00:00Z"];

describe.concurrent("pawl schedule prints the next times in UTC", () => {
  test.for([
    { expression: "0 3 * * *", args: ["-n", "2", ...from], times: ["2026-03-28T03:00:00Z", "2026-03-29T03:00:00Z"] },
    { expression: "@daily", args: ["-n", "1", ...from], times: ["2026-03-28T00:00:00Z"] },
    { expression: "@every 90m", args: ["-n", "1", ...from], times: ["2026-03-27T13:30:00Z"] },
    {
      expression: "CRON_TZ=Europe/Berlin 0 3 * * *",
      args: ["-n", "2", ...from],
      times: ["2026-03-28T02:00:00Z", "2026-03-29T01:00:00Z"],
    },
    {
      expression: "0 3 * * *",
      args: ["-n", "1", "--after", "2026-01-01T02:30:00+01:00"],
      times: ["2026-01-01T03:00:00Z"],
    },
  ])("$expression $args", async ({ expression, args, times }) => {
    const ran = await runPawl(["schedule", expression, ...args]);
    expect(ran).toEqual({ stdout: times.map((time) => `${time}\n`).join(""), stderr: "", status: 0 });
  });

  test("five by default, from now on, in ascending order", async () => {
    const before = Date.now();
    const { stdout, status } = await runPawl(["schedule", "* * * * *"]);
    const times = stdout.trimEnd().split("\n");
    expect(status).toBe(0);
    expect(times).toHaveLength(5);
    expect(times).toEqual([...new Set(times)].sort());
    expect(Date.parse(times[0] ?? "")).toBeGreaterThan(before);
  });

  test("as one JSON document", async () => {
    const { stdout } = await runPawl(["schedule", "@yearly", "-n", "1", "--json", ...from]);
    expect(JSON.parse(stdout)).toEqual({
      schedule: "@yearly",
      after: "2026-03-27T12:00:00Z",
      times: ["2027-01-01T00:00:00Z"],
      reason: null,
    });
  });
});

describe.concurrent("pawl schedule prints the reason to stderr", () => {
  test.for([
    { when: "it is never due", args: ["@daily", "--after", "9999-12-31T12:00:00Z"], status: 1, message: "never due" },
    { when: "it never comes", args: ["0 0 30 2 *"], status: 2, message: "never comes" },
    { when: "fields are missing", args: ["0 3 * *"], status: 2, message: "schedule: " },
    { when: "a minute is out of range", args: ["60 3 * * *"], status: 2, message: '"60"' },
    { when: "the zone is unknown", args: ["TZ=Nowhere/Else 0 3 * * *"], status: 2, message: "Nowhere/Else" },
    { when: "the time is invalid", args: ["@daily", "--after", "yesterday"], status: 2, message: "--after" },
    { when: "the count is 0", args: ["@daily", "-n", "0"], status: 2, message: "-n" },
    { when: "the count is not a number", args: ["@daily", "-n", "1e3"], status: 2, message: "-n" },
    { when: "there is no expression", args: [], status: 2, message: "expression" },
  ])("$when: status $status", async ({ args, status, message }) => {
    const ran = await runPawl(["schedule", ...args]);
    expect(ran).toMatchObject({ stdout: "", status });
    expect(ran.stderr).toMatch(/^pawl: .*\n$/);
    expect(ran.stderr).toContain(message);
  });
});
