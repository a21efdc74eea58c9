import { describe, expect, test } from "vitest";
import type { Approval } from "../../../../functions/domain/gates/approval.ts";
import type { ScanResult } from "../../../../functions/domain/gates/scan.ts";
import type { VerificationOutcome } from "../../../../functions/domain/signature/outcome.ts";
import type { Verifier } from "../../../../functions/ports/verifier.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { applyUpdate } from "../../../../functions/handlers/apply-update.ts";
import { pollCluster } from "../../../../functions/workflows/poll/poll-cluster.ts";
import { type AtMoment } from "../../../support/fake-cluster.ts";
import { Killed } from "../../../support/fake-ports.ts";
import { after, inFlight, noon, policy, updateTarget, type WorkloadParts } from "../../../support/workloads.ts";
import { portsOf, shared } from "../limited-ports.ts";

/** What one workload is evaluated in. */
interface Cell {
  readonly parts?: Omit<WorkloadParts, "policy"> & {
    readonly policy?: object;
    readonly approvals?: readonly Approval[];
  };
  readonly others?: readonly Workload[];
  readonly freeze?: string;
  readonly approvalProblem?: string;
  readonly maxConcurrent?: number;
  readonly isRunningUnknown?: true;
  readonly scans?: (image: string) => ScanResult;
  readonly outcome?: VerificationOutcome;
}

const other = (name: string, parts: WorkloadParts) => shared(name, parts);
const window = (schedule: string) => [{ schedule, durationSeconds: 3600, zone: "UTC" }];
const digest = `sha256:${"a".repeat(64)}`;
const approved = (at: Date): Approval => {
  const common = { user: "anna", groups: [], verdict: "approve", version: "1.1.0", digest, message: "" } as const;
  return { ...common, skipsAge: false, at: at.toISOString() };
};
const backOff = { target: updateTarget, attempts: 1, message: "denied", execution: null, reason: "Refused" } as const;
const failed = { updateRecord: { failedVersions: ["1.1.0"] } };
const moving = other("moving", { inFlight });
const candidates = [{ version: "1.1.0", digest, since: "2026-11-01T00:00:00Z" }];
const soak = [
  { cluster: null, namespace: null, kind: "Deployment", name: "staging", soakSeconds: 60, sameDigest: false },
] as const;
const soaked = { version: "1.1.0", status: "Healthy", appliedAt: after(-9), finishedAt: after(-5) } as const;
const age = { minimumReleaseAgeSeconds: 86_400 };
const approval = { approval: { required: 1, by: ["user:anna"] } };
const scan = { scan: { maxSeverity: "HIGH", newOnly: true, timeoutSeconds: 3600, onUnknown: "hold" } };
const none: ScanResult = { kind: "complete", findings: [] };
const critical: ScanResult = { kind: "complete", findings: [{ name: "CVE-2026-1 openssl", severity: "CRITICAL" }] };
const scopes: Verifier["scopes"] = [{ repositories: ["registry.example/shop"], namespaces: null, mode: "enforce" }];
const setBack = { image: "registry.example/shop/app:0.9.0", source: "registry.example/shop/app:0.9.0" };

/** `unknown` is null of a gate that depends on nothing but the workload or the list of all, and of what holds no update: it is tried again. */
const cells: Readonly<Record<string, { open: Cell; closed: Cell; unknown: Cell | null; lifted: Cell }>> = {
  suspended: {
    open: {},
    closed: { parts: { policy: { paused: true } } },
    unknown: null,
    lifted: { parts: { policy: { paused: false } } },
  },
  schedule: {
    open: { parts: { policy: { schedule: "30 11 * * *" } } },
    closed: { parts: { policy: { schedule: "0 3 * * *" } } },
    unknown: null,
    lifted: { parts: { policy: { schedule: null } } },
  },
  windows: {
    open: { parts: { policy: { windows: window("30 11 * * *") } } },
    closed: { parts: { policy: { windows: window("0 3 * * *") } } },
    unknown: null,
    lifted: {
      parts: { policy: { windows: window("0 3 * * *") }, request: { verb: "push", argument: "1.1.0", token: "t" } },
    },
  },
  freeze: {
    open: { freeze: "- { reason: Christmas, from: 2026-12-20, to: 2026-12-27 }" },
    closed: { freeze: "- { reason: incident 7 }" },
    unknown: { freeze: "- { reson: incident 7 }" },
    lifted: { freeze: "" },
  },
  circuit: {
    open: {},
    closed: { parts: { updateRecord: { circuitOpen: true } } },
    unknown: null,
    lifted: { parts: { updateRecord: { circuitOpen: false } } },
  },
  "back-off": {
    open: { parts: { backOff: { ...backOff, until: noon } } },
    closed: { parts: { backOff: { ...backOff, until: after(5) } } },
    unknown: null,
    lifted: { parts: { backOff: null } },
  },
  "manual-change": {
    open: { parts: { updateRecord: { currentVersion: "1.0.0" } } },
    closed: { parts: { ...setBack, updateRecord: { currentVersion: "1.1.0" } } },
    unknown: null,
    lifted: { parts: { ...setBack, updateRecord: { currentVersion: null } } },
  },
  minimumAge: {
    open: { parts: { policy: age, candidates } },
    closed: { parts: { policy: age } },
    unknown: null,
    lifted: { parts: { policy: age, approvals: [{ ...approved(noon), skipsAge: true }] } },
  },
  approval: {
    open: { parts: { policy: approval, approvals: [approved(noon)] } },
    closed: { parts: { policy: approval } },
    unknown: { parts: { policy: approval, approvals: [approved(noon)] }, approvalProblem: "no admission policy" },
    lifted: { parts: { policy: approval, approvals: [approved(after(1))] } },
  },
  after: {
    open: {
      parts: { policy: { after: soak } },
      others: [
        other("staging", { image: "registry.example/shop/app:1.1.0", updateRecord: { versionHistory: [soaked] } }),
      ],
    },
    closed: { parts: { policy: { after: soak } }, others: [other("staging", { policy: { ...policy, paused: true } })] },
    unknown: { parts: { policy: { after: soak } } },
    lifted: { parts: { policy: { after: soak }, request: { verb: "push", argument: "1.1.0", token: "t" } } },
  },
  scan: {
    open: { parts: { policy: scan }, scans: () => ({ kind: "complete", findings: [] }) },
    closed: { parts: { policy: scan }, scans: (image) => (image.includes("1.0.0") ? none : critical) },
    unknown: { parts: { policy: scan }, scans: () => ({ kind: "unknown", reason: "nobody scanned it" }) },
    lifted: {
      parts: { policy: scan, request: { verb: "push", argument: "1.1.0", token: "t" } },
      scans: (image) => (image.includes("1.0.0") ? none : critical),
    },
  },
  signature: {
    open: { outcome: { kind: "verified", digest, reason: "key release.pub: valid" } },
    closed: { outcome: { kind: "unverified", digest, reason: "no signature" } },
    unknown: null,
    lifted: {},
  },
  limits: {
    open: { others: [moving], maxConcurrent: 2 },
    closed: { others: [moving], maxConcurrent: 1 },
    unknown: { others: [moving], maxConcurrent: 1, isRunningUnknown: true },
    lifted: {
      others: [moving],
      maxConcurrent: 1,
      parts: { request: { verb: "push", argument: "1.1.0", token: "t" } },
    },
  },
  haltedElsewhere: {
    open: { others: [other("one", failed)] },
    closed: { others: [other("one", failed), other("two", failed)] },
    unknown: null,
    lifted: { others: [other("one", failed), other("two", {})] },
  },
};

const all = Object.entries(cells);

function open({ parts = {}, others = [], maxConcurrent = 1000, ...cell }: Cell, atMoment: AtMoment = () => {}) {
  const { policy: own, approvals = [], ...rest } = parts;
  const base = shared("web", { ...rest, policy: { ...policy, ...own } });
  const web = { ...base, approvals } as Workload;
  const { ports } = portsOf([web, ...others], { maxConcurrent }, atMoment, {
    digests: () => [digest],
    freeze: () => cell.freeze ?? null,
    approvalProblem: () => cell.approvalProblem ?? null,
    ...(cell.scans === undefined ? {} : { scans: cell.scans }),
  });
  const { outcome } = cell;
  const verifier = outcome === undefined ? ports.verifier : { scopes, verify: async () => outcome };
  const listRunning = () => Promise.reject(new Error("no answer"));
  const executions = cell.isRunningUnknown ? { ...ports.executions, listRunning } : ports.executions;
  const started = () => ports.executions.started.filter(({ input }) => input.workload.name === "web");
  const gates = async () => ((await ports.cluster.read(web.ref))?.gates ?? []).map(({ name }) => name);
  return { ports, started, gates, web, poll: () => pollCluster({ ...ports, executions, verifier }) };
}

describe("an update", () => {
  test.for(all)("starts if the gate %s is open", async ([, cell]) => {
    const { poll, started, gates } = open(cell.open);
    await poll();
    expect([started().length, await gates()]).toEqual([1, []]);
  });

  test.for(all)("starts once the gate %s is lifted", async ([, cell]) => {
    const { poll, started } = open(cell.lifted);
    await poll();
    expect(started()).toHaveLength(1);
  });

  test.for(all)("waits if the gate %s is closed, and says so", async ([name, cell]) => {
    const { poll, started, gates } = open(cell.closed);
    await poll();
    expect([started().length, await gates()]).toEqual([0, [name]]);
  });

  test.for(all.filter(([, { unknown }]) => unknown !== null))(
    "waits if it is not known whether the gate %s is open",
    async ([name, { unknown }]) => {
      const { poll, started, gates } = open(unknown as Cell);
      await poll();
      expect([started().length, await gates()]).toEqual([0, [name]]);
    },
  );

  test.for(all)("waits if the poll was killed before it wrote that the gate %s is closed", async ([name, cell]) => {
    let isKilled = true;
    const { poll, started, gates } = open(cell.closed, (moment) => {
      if (isKilled && moment === "before change") throw new Killed(moment);
    });
    await poll();
    isKilled = false;
    expect([started().length, await gates()]).toEqual([0, []]);
    await poll();
    expect([started().length, await gates()]).toEqual([0, [name]]);
  });

  test.for(["suspended", "schedule", "windows", "freeze", "circuit", "minimumAge", "approval", "after"])(
    "is not written if the gate %s closes after its execution was started",
    async (name) => {
      const cell = cells[name] as (typeof cells)[string];
      const before = open(cell.open);
      await before.poll();
      const [{ name: execution, input } = expect.fail("nothing was started")] = before.started();
      const { ports, web } = open(cell.closed);
      const step = { ...input, execution, executionStartedAt: ports.now().toISOString() } as never;
      expect(await applyUpdate(ports, step)).not.toMatchObject({ kind: "applied" });
      expect((await ports.cluster.read(web.ref))?.image).toBe(web.image);
    },
  );
});
