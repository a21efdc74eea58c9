import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const { context } = JSON.parse(readFileSync("cdk.json", "utf8")) as { context: Readonly<Record<string, unknown>> };

test.for([
  {
    when: "there is no configuration",
    pawl: context["pawl"],
    says: /pawl\.json: ENOENT.*; run "npx --no-install pawl init" to write it/,
  },
  {
    when: "the configuration is the example",
    pawl: resolve("infra/config/pawl.example.json"),
    says: /placeholders of the example .*; run "npx --no-install pawl init"/,
  },
])("a new clone deploys nothing if $when: it names the command to run", ({ pawl, says }) => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-app-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { PATH: process.env["PATH"], CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify({ ...context, pawl }) };
  const { status, stderr } = spawnSync(process.execPath, [resolve("infra/app.ts")], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toMatch(says);
  expect(readdirSync(folder)).toEqual([]);
});
