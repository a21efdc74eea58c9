import { describe, expect, test } from "vitest";
import type { Candidate } from "../../../functions/domain/gates/candidate.ts";
import { isHeldByGate, passGates } from "../../../functions/domain/gates/gates.ts";
import {
  joinScans,
  judgeScan,
  type ScanFinding,
  type ScanPolicy,
  type ScanResult,
} from "../../../functions/domain/gates/scan.ts";
import { createScanGate } from "../../../functions/domain/gates/scan-gate.ts";
import { parseScanPolicy, stricterScan } from "../../../functions/domain/gates/scan-policy.ts";
import { neededManifests } from "../../../functions/domain/image/platform.ts";
import { candidateFields } from "../../../functions/domain/workload/policy/fields/candidate-fields.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import { planCheckRecord } from "../../../functions/domain/workload/record/record-check.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import { after, image, noon, updateTarget, workload } from "../../support/workloads.ts";

const policy: ScanPolicy = { maxSeverity: "HIGH", newOnly: true, timeoutSeconds: 3600, onUnknown: "hold" };
const finding = (name: string, severity: string): ScanFinding => ({ name, severity });
const found = (...findings: readonly ScanFinding[]): ScanResult => ({ kind: "complete", findings });
const high = finding("CVE-1 openssl", "HIGH");
const pending: ScanResult = { kind: "pending", reason: "its status is PENDING" };
const unknown: ScanResult = { kind: "unknown", reason: "its status is FAILED" };

describe("the verdict of a scan", () => {
  test.for<{
    when: string;
    of?: Partial<ScanPolicy>;
    chosen: ScanResult;
    running?: ScanResult;
    verdict: string;
    message?: string;
  }>([
    { when: "nothing was found", chosen: found(), verdict: "passed" },
    { when: "it has less severe findings", chosen: found(finding("CVE-2", "MEDIUM")), verdict: "passed" },
    { when: "it has one", chosen: found(high), verdict: "findings", message: "CVE-1 openssl (HIGH)" },
    { when: "the running image has it too", chosen: found(high), running: found(high), verdict: "passed" },
    {
      when: "the running image has it as less severe",
      chosen: found(high),
      running: found({ ...high, severity: "LOW" }),
      verdict: "passed",
    },
    {
      when: "the running image has it in another package",
      chosen: found(high),
      running: found(finding("CVE-1 libssl", "HIGH")),
      verdict: "findings",
    },
    {
      when: "the running image has no result",
      chosen: found(high),
      running: pending,
      verdict: "findings",
      message: "CVE-1 openssl (HIGH); of the running image, its status is PENDING",
    },
    {
      when: "the running image has no result, and nothing was found",
      chosen: found(),
      running: unknown,
      verdict: "passed",
    },
    {
      when: "the most severe is first, and each once",
      chosen: found(high, finding("CVE-0", "HIGH"), finding("CVE-9", "CRITICAL"), high),
      verdict: "findings",
      message: "CVE-9 (CRITICAL), CVE-0 (HIGH), CVE-1 openssl (HIGH)",
    },
    {
      when: "a severity is not known: it counts as the highest",
      chosen: found(finding("CVE-3", "SEVERE")),
      verdict: "findings",
    },
    { when: "a finding is not rated", chosen: found(finding("CVE-3", "UNTRIAGED")), verdict: "passed" },
    {
      when: "a finding is not rated, and any counts",
      of: { maxSeverity: "UNDEFINED" },
      chosen: found(finding("CVE-3", "UNTRIAGED")),
      verdict: "findings",
    },
    { when: "it is pending", chosen: pending, verdict: "pending", message: "its status is PENDING" },
    { when: "it is unknown", chosen: unknown, verdict: "unknown", message: "its status is FAILED" },
  ])("$when: $verdict", ({ of, chosen, running = null, verdict, message }) => {
    const judged = judgeScan({ ...policy, ...of }, chosen, running);
    expect(judged).toEqual({ verdict, message: message ?? judged.message });
  });

  test("is of all images of a version", () => {
    expect(joinScans([found(high), found(finding("CVE-2", "LOW"))])).toEqual(found(high, finding("CVE-2", "LOW")));
    expect(joinScans([found(high), pending])).toBe(pending);
    expect(joinScans([pending, unknown])).toBe(unknown);
  });
});

test("the images that are scanned are those of the nodes", () => {
  const manifest = (digest: string, platform: string | null) => ({ digest, platform });
  const index = {
    digest: "i",
    manifests: [manifest("a", "linux/amd64"), manifest("b", "linux/arm64"), manifest("x", null)],
  };
  const nodes = (architectures: readonly string[] | null) => ({ os: null, architectures });
  expect(neededManifests({ digest: "m", manifests: [] }, undefined)).toEqual(["m"]);
  expect(neededManifests(index, undefined)).toEqual(["a", "b"]);
  expect(neededManifests(index, nodes(null))).toEqual(["a", "b"]);
  expect(neededManifests(index, nodes(["arm64"]))).toEqual(["b"]);
  expect(neededManifests(index, nodes(["s390x"]))).toEqual(["a", "b"]);
});

describe("the gate of scans", () => {
  const digest = "sha256:a";
  const candidate = (
    verdict: NonNullable<Candidate["scan"]>["verdict"],
    parts: Partial<Candidate> = {},
  ): Candidate => ({
    version: "1.1.0",
    digest,
    since: formatRfc3339(noon),
    scan: { verdict, message: verdict === "passed" ? "" : "CVE-1" },
    ...parts,
  });
  const open = { reason: "none" };

  test.for<{
    when: string;
    of?: Partial<ScanPolicy>;
    known?: Candidate;
    target?: Target | null;
    closed: object | null;
    now?: number;
  }>([
    { when: "nothing newer is known", target: null, closed: null },
    { when: "the configuration changed", target: { kind: "config", image, digest }, closed: null },
    { when: "it has passed", known: candidate("passed"), closed: null },
    {
      when: "it has findings",
      known: candidate("findings"),
      closed: { reason: "FindingsFound", message: "the scan of 1.1.0 has found CVE-1", liftedBy: "pawl push" },
    },
    {
      when: "it has findings, and what is unknown is allowed",
      of: { onUnknown: "allow" },
      known: candidate("findings"),
      closed: { reason: "FindingsFound" },
    },
    { when: "it is pending", known: candidate("pending"), closed: { reason: "ScanPending", until: after(60) } },
    {
      when: "it is pending, and what is unknown is allowed",
      of: { onUnknown: "allow" },
      known: candidate("pending"),
      closed: { reason: "ScanPending" },
    },
    { when: "it is pending for too long", known: candidate("pending"), now: 60, closed: { reason: "ScanUnknown" } },
    {
      when: "it is pending for too long, which is allowed",
      of: { onUnknown: "allow" },
      known: candidate("pending"),
      now: 60,
      closed: null,
    },
    { when: "its time is none", known: candidate("pending", { since: "soon" }), closed: { reason: "ScanUnknown" } },
    {
      when: "it is unknown",
      known: candidate("unknown"),
      closed: { reason: "ScanUnknown", message: "the scan of 1.1.0 says nothing: CVE-1" },
    },
    { when: "it is unknown, which is allowed", of: { onUnknown: "allow" }, known: candidate("unknown"), closed: null },
    {
      when: "nobody asked",
      closed: { reason: "ScanUnknown", message: "it is not known what a scan of 1.1.0 has found" },
    },
    {
      when: "nobody asked, and what is unknown is allowed",
      of: { onUnknown: "allow" },
      closed: { reason: "ScanUnknown" },
    },
    {
      when: "another digest has passed",
      known: candidate("passed", { digest: "sha256:b" }),
      closed: { reason: "ScanUnknown" },
    },
  ])("$when", ({ of, known, target = { ...updateTarget, digest }, closed, now = 0 }) => {
    const gate = createScanGate(known === undefined ? [] : [known]);
    const own = workload({ policy: { scan: { ...policy, ...of } } });
    expect(gate.evaluate(own, target, after(now)) ?? open).toMatchObject(closed ?? open);
    expect(gate.evaluate(workload(), target, after(now))).toBeNull();
  });

  test("holds an update, says so once, and lets a push through", () => {
    const own = workload({ policy: { scan: policy } });
    const gate = createScanGate([candidate("findings")]);
    const update = { kind: "update", target: { ...updateTarget, digest } } as const;
    const held = passGates(own, update, noon, gate);
    expect(held).toMatchObject({ reason: "awaiting-scan", gates: [{ name: "scan", reason: "FindingsFound" }] });
    const hold = held as Extract<typeof held, { kind: "hold" }>;
    expect(isHeldByGate(hold)).toBe(true);
    const { change, events } = planCheckRecord(own, hold, noon);
    expect(events.map(({ reason }) => reason)).toContain("AutoUpdateHeld");
    expect(change?.evaluated).toMatchObject({ state: "Waiting", reason: "ScanRequired" });
    const again = { ...own, lastReported: { held: hold.detail, problem: null } };
    expect(planCheckRecord(again, hold, noon).events.map(({ reason }) => reason)).not.toContain("AutoUpdateHeld");
    expect(passGates(own, { ...update, isRequested: true }, noon, gate).kind).toBe("update");
  });
});

describe("the policy of scans", () => {
  test.for([
    { written: { maxSeverity: "HIGH" }, parsed: policy },
    {
      written: { maxSeverity: "LOW", newOnly: false, timeout: "2h", onUnknown: "allow" },
      parsed: { maxSeverity: "LOW", newOnly: false, timeoutSeconds: 7200, onUnknown: "allow" },
    },
  ])("$written", ({ written, parsed }) => {
    expect(parseScanPolicy(written)).toEqual({ kind: "valid", value: parsed });
  });

  test.for([
    { written: {}, reason: "maxSeverity" },
    { written: { maxSeverity: "high" }, reason: "one of UNDEFINED" },
    { written: { maxSeverity: "HIGH", timeout: "soon" }, reason: "timeout" },
    { written: { maxSeverity: "HIGH", timeout: "721h" }, reason: "timeout" },
    { written: { maxSeverity: "HIGH", onUnknown: "ask" }, reason: '"hold" or "allow"' },
    { written: { maxSeverity: "HIGH", newOnly: "yes" }, reason: "newOnly" },
    { written: { severity: "HIGH" }, reason: "severity" },
    { written: "HIGH", reason: "scan" },
  ])("$written is invalid: $reason", ({ written, reason }) => {
    const parsed = parseScanPolicy(written);
    expect(parsed.kind === "invalid" ? JSON.stringify(parsed.problems) : "").toContain(reason.replaceAll('"', '\\"'));
  });

  test("is shown to people", () => {
    const shown = (scan?: ScanPolicy) => candidateFields.scan.format({ ...workload(scan ? { policy: { scan } } : {}) });
    expect([shown(), shown(policy), shown({ ...policy, newOnly: false, onUnknown: "allow" })]).toEqual([
      null,
      "no new finding of HIGH or above; hold if unknown",
      "no finding of HIGH or above; allow if unknown",
    ]);
  });

  test.for([
    {
      own: { maxSeverity: "CRITICAL", onUnknown: "allow" },
      enforced: { maxSeverity: "LOW", newOnly: false, timeout: "2h" },
      counts: { maxSeverity: "LOW", newOnly: false, timeout: "7200s", onUnknown: "hold" },
    },
    {
      own: { maxSeverity: "LOW", timeout: "2h", onUnknown: "allow" },
      enforced: { maxSeverity: "CRITICAL", onUnknown: "allow" },
      counts: { maxSeverity: "LOW", newOnly: true, timeout: "7200s", onUnknown: "allow" },
    },
    { own: { maxSeverity: "none" }, enforced: { maxSeverity: "LOW" }, counts: { maxSeverity: "none" } },
    { own: { maxSeverity: "LOW" }, enforced: { maxSeverity: "none" }, counts: { maxSeverity: "LOW" } },
  ])("of $own and $enforced the stricter counts", ({ own, enforced, counts }) => {
    const written = (value: object) => ({ value, length: 1, place: "p" });
    expect(stricterScan(written(own), written(enforced)).value).toEqual(counts);
  });
});
