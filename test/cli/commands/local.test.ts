import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { spawnPawl } from "../run-pawl.ts";

interface Line {
  readonly kind: string;
  readonly type?: string;
  readonly detail?: Detail;
  readonly workloads?: readonly { readonly workload: string; readonly result: string }[];
}

interface Detail {
  readonly workload?: { readonly name: string };
  readonly version?: string | null;
  readonly nodePool?: { readonly name: string };
  readonly reason: string | null;
}

let lines: readonly Line[];

let slack: Receiver;
let hook: Receiver;

/** Two targets, one of which answers its first request with an error. */
async function writeTargets(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-notifications-"));
  let answers = 0;
  slack = await startReceiver();
  hook = await startReceiver(() => ((answers += 1) === 1 ? 503 : 200));
  await writeFile(join(folder, "address"), `${slack.url}/services/s3cret\n`);
  const filter = { workloads: ["ne*"], events: ["Update Succeeded"] };
  const targets = [
    { kind: "slack", name: "team", secretFile: "address", ...filter },
    { kind: "webhook", name: "hook", url: `${hook.url}/{{name}}`, method: "PUT", body: ["{{event}}"], ...filter },
    { kind: "webhook", name: "unnamed", url: `${hook.url}/unnamed`, onlyNamed: true },
  ];
  await writeFile(join(folder, "targets.json"), JSON.stringify(targets));
  return join(folder, "targets.json");
}

afterAll(() => Promise.all([slack.close(), hook.close()]));

beforeAll(async () => {
  const demo = ["--demo", "--exit-when-idle", "--json", "--clock-speed", "150"];
  const flags = [...demo, "--notifications", await writeTargets()];
  const { stdout, stderr, status } = await spawnPawl(["local", ...flags]);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}, 120_000);

test("the demo restarts a workload once for a push to a tag that is tracked by digest", () => {
  const events = lines.filter(({ detail }) => detail?.workload?.name === "news");
  const restarted = expect.stringMatching(/^prod@sha256:[0-9a-f]{64}$/);
  expect(events.map(({ type, detail }) => [type, detail?.version])).toEqual([
    ["Update Available", restarted],
    ["Update Started", restarted],
    ["Update Succeeded", restarted],
  ]);
  const { workloads = [] } = lines.find(({ kind }) => kind === "result") ?? {};
  expect(workloads).toHaveLength(11);
  expect(workloads.find(({ workload }) => workload === "shop/news")?.result).toMatch(/^restarted for prod@sha256:/);
});

test("the demo runs a canary with steps, a pause and a bake time", () => {
  const all = lines.filter(({ detail }) => detail?.workload?.name === "payments");
  // The bus delivers at least once: a step that a busy machine repeats announces its pause again.
  const events = all.filter(({ type }, index) => type !== all[index - 1]?.type);
  expect(events.map(({ type }) => type)).toEqual([
    "Update Available",
    "Update Started",
    "Canary Paused",
    "Canary Promoted",
    "Update Succeeded",
  ]);
  expect(events[2]?.detail?.reason).toContain("step 2/3 (1 replica): it continues at");
});

test("the demo rolls a workload back to an earlier release on request, and holds the version that it left", () => {
  const events = lines.filter(({ detail }) => detail?.workload?.name === "pages");
  // A step that a busy machine repeats, because its time is 150 times as short here, finds its work done and emits no start.
  const ended = events.filter(({ type }) => type !== "Update Started");
  expect(ended.map(({ type, detail }) => [type, detail?.version])).toEqual([
    ["Update Available", "5.1.0"],
    ["Update Succeeded", "5.1.0"],
    // The in-memory API server has no admission policy that proves who asked.
    ["Person Acted", null],
    ["Update Succeeded", "5.0.0"],
    ["Update Held", null],
  ]);
  expect(events.at(-1)?.detail?.reason).toContain(
    "5.0.0 was restored in place of release 2: held until a version newer",
  );
});

test("the demo rolls a new OS image out to a node pool, while pods of the workloads are evicted", () => {
  const events = lines.filter(({ detail }) => detail?.nodePool?.name === "workers");
  // The bus delivers at least once: a poll and the rollout may both have observed the end. Five minutes of the demo, after which a
  // drain is slow, are two seconds, in which a busy machine may not have drained the node.
  const types = new Set(events.map(({ type }) => type).filter((type) => type !== "Node Drain Slow"));
  expect(types).toEqual(new Set(["Node Pool Rollout Started", "Node Pool Rollout Completed"]));
  expect(events.at(-1)?.detail?.reason).toMatch(
    /^Rolled out 127\.0\.0\.1:\d+\/os\/myos@sha256:[0-9a-f]{12}: 3 of 3 nodes/,
  );
});

test("the targets in a file are notified of the events that they select, in several attempts", () => {
  expect(slack.received).toMatchObject([{ method: "POST", path: "/services/s3cret" }]);
  expect(JSON.parse(slack.received[0]?.body ?? "")).toMatchObject({ text: "Update Succeeded: Deployment shop/news" });
  const request = { method: "PUT", path: "/news", body: '["Update Succeeded"]' };
  expect(hook.received).toMatchObject([request, request]);
});
