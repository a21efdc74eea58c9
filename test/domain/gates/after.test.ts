import { describe, expect, test } from "vitest";
import { afterProblems, createAfterGate, hasSoaked, type Upstream } from "../../../functions/domain/gates/after.ts";
import { type AfterRule } from "../../../functions/domain/gates/after-policy.ts";
import { isHeldByGate } from "../../../functions/domain/gates/gates.ts";
import { type Soak, soaksOf } from "../../../functions/domain/gates/soak.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import type { HistoryEntry } from "../../../functions/domain/workload/workload.ts";
import { after, image, inFlight, noon, updateTarget, workload } from "../../support/workloads.ts";

const digest = "sha256:a";
const repository = "registry.example/shop/app";

function entry(from: number, to: number | null, parts: Partial<HistoryEntry> = {}): HistoryEntry {
  const finished = to === null ? {} : { finishedAt: after(to) };
  const own = { version: "1.1.0", kind: "image", image: `${repository}:1.1.0@${digest}`, status: "Healthy" } as const;
  return { ...own, appliedAt: after(from), ...finished, ...parts };
}

describe("the times in which a workload was healthy", () => {
  const soak = (from: number, to: number | null, parts: Partial<Soak> = {}): Soak => ({
    version: "1.1.0",
    digest,
    healthySince: after(from),
    healthyUntil: to === null ? null : after(to),
    ...parts,
  });
  const before = `${repository}:1.1.0`;
  const next = { version: "1.2.0", image: `${repository}:1.2.0`, previousImage: before } as const;

  test.for<{ when: string; history: readonly HistoryEntry[]; runs?: string; parts?: object; soaks: readonly Soak[] }>([
    { when: "it was never updated", history: [], soaks: [] },
    { when: "its last update was healthy", history: [entry(-60, -50)], soaks: [soak(-50, null)] },
    { when: "a person has set another image since", history: [entry(-60, -50)], runs: "9.9.9", soaks: [] },
    {
      when: "a person has set another digest since",
      history: [entry(-60, -50)],
      parts: { image: `${before}@sha256:b` },
      soaks: [],
    },
    {
      when: "a person had set another image when its configuration changed, and the first one again since",
      history: [entry(-60, -50), entry(-30, -20, { kind: "config", version: "0.9.0", image: `${repository}:0.9.0` })],
      soaks: [],
    },
    {
      when: "it is not recorded what the next one replaced",
      history: [entry(-60, -50), entry(-30, -20, { version: "1.2.0", image: `${repository}:1.2.0` })],
      runs: "1.2.0",
      soaks: [soak(-20, null, { version: "1.2.0", digest: null })],
    },
    { when: "no image is set", history: [entry(-60, -50)], parts: { image: null }, soaks: [] },
    {
      when: "the next one was healthy too",
      history: [entry(-60, -50), entry(-30, -20, next)],
      runs: "1.2.0",
      soaks: [soak(-50, -30), soak(-20, null, { version: "1.2.0", digest: null })],
    },
    {
      when: "the next one is in flight",
      history: [entry(-60, -50)],
      parts: { inFlight: { ...inFlight, startedAt: after(-5) } },
      soaks: [soak(-50, -5)],
    },
    {
      when: "the next one began nobody knows when",
      history: [entry(-60, -50)],
      parts: { inFlight: { ...inFlight, startedAt: "malformed" } },
      soaks: [],
    },
    {
      when: "it was restarted for its configuration",
      history: [entry(-60, -50), entry(-30, -20, { kind: "config", version: "1.1.0@sha256:c" })],
      soaks: [soak(-50, null)],
    },
    {
      when: "a restart for its configuration failed",
      history: [entry(-60, -50), entry(-30, -20, { kind: "config", status: "RolledBack" })],
      soaks: [soak(-50, -30), soak(-20, null)],
    },
    {
      when: "the rollback of the next one failed",
      history: [entry(-60, -50), entry(-30, -20, { ...next, status: "RollbackFailed" })],
      soaks: [soak(-50, -30)],
    },
    { when: "the first one was rolled back", history: [entry(-30, -20, { status: "RolledBack" })], soaks: [] },
    { when: "its end is not known", history: [entry(-60, null)], soaks: [] },
    {
      when: "its image is not known",
      history: [{ version: "1.1.0", appliedAt: after(-60), finishedAt: after(-50), status: "Healthy" }],
      soaks: [soak(-50, null, { digest: null })],
    },
  ])("if $when", ({ history, runs = "1.1.0", parts = {}, soaks }) => {
    const subject = workload({ image: `${repository}:${runs}`, updateRecord: { versionHistory: history }, ...parts });
    expect(soaksOf(subject)).toEqual(soaks);
  });
});

const rule: AfterRule = {
  cluster: null,
  namespace: "staging",
  kind: "Deployment",
  name: "web",
  soakSeconds: 3600,
  sameDigest: true,
};
const name = "deployment/staging/web";
const lasting: Soak = { version: "1.1.0", digest, healthySince: after(-30), healthyUntil: null };
const completed: Soak = { ...lasting, healthySince: after(-500), healthyUntil: after(-440) };
const known = (...soaks: readonly Soak[]): Upstream => ({ kind: "known", soaks });

describe("the gate of soaks elsewhere", () => {
  test.for<{
    when: string;
    rules?: readonly AfterRule[];
    upstreams?: Readonly<Record<string, Upstream>>;
    target?: Target | null;
    isKnown?: boolean;
    closed: object | null;
  }>([
    { when: "none is required", rules: [], closed: null },
    { when: "nothing newer is known", target: null, closed: null },
    { when: "the configuration changed", target: { kind: "config", image, digest }, closed: null },
    {
      when: "it is healthy there, not long enough",
      upstreams: { [name]: known(lasting) },
      closed: {
        reason: "SoakRequired",
        message: "1.1.0 must be healthy for 1h0m0s in deployment/staging/web, and is since 2026-11-20T11:30:00Z",
        until: after(30),
        liftedBy: "pawl push",
      },
    },
    {
      when: "it is healthy there for just long enough",
      upstreams: { [name]: known({ ...lasting, healthySince: after(-60) }) },
      closed: null,
    },
    {
      when: "its time there was too short",
      upstreams: { [name]: known({ ...completed, healthyUntil: after(-441) }) },
      closed: { reason: "SoakRequired", message: expect.stringContaining("and has not been") },
    },
    {
      when: "another digest was healthy there, and the tag counts",
      rules: [{ ...rule, sameDigest: false }],
      upstreams: { [name]: known({ ...completed, digest: "sha256:b" }) },
      closed: null,
    },
    {
      when: "no digest is recorded there",
      upstreams: { [name]: known({ ...completed, digest: null }) },
      closed: {
        message: expect.stringContaining("with a digest that is not recorded; set pawl.dev/pin: digest there"),
      },
    },
    {
      when: "its own digest is not known",
      isKnown: false,
      upstreams: { [name]: known(completed) },
      closed: { reason: "SoakRequired" },
    },
    { when: "nothing is known of it", closed: { reason: "SoakUnknown", message: `it is not known what ${name} runs` } },
    {
      when: "it does not consent",
      upstreams: { [name]: { kind: "unknown", reason: "no consent" } },
      closed: { reason: "SoakUnknown", message: "no consent" },
    },
    {
      when: "two are not, and one has no end",
      rules: [rule, { ...rule, namespace: null }],
      upstreams: { [name]: known(lasting), "deployment/shop/web": known() },
      closed: { message: expect.stringMatching(/staging.*; .*shop/), until: undefined },
    },
  ])("if $when", ({ rules = [rule], upstreams = {}, target = updateTarget, isKnown = true, closed }) => {
    const subject = workload({ policy: { after: rules } });
    const candidates = isKnown ? [{ version: "1.1.0", digest, since: "" }] : [];
    const found = createAfterGate(candidates, new Map(Object.entries(upstreams))).evaluate(subject, target, noon);
    expect(closed === null || found === null ? closed : { ...found, ...closed }).toEqual(
      found === null || closed === null || "until" in found || !("until" in closed)
        ? found
        : { ...found, until: undefined },
    );
  });

  test("is off without rules, holds, and knows what others have had", () => {
    expect(createAfterGate([], new Map()).evaluate(workload(), updateTarget, noon)).toBeNull();
    expect(isHeldByGate(hold("awaiting-soak", ""))).toBe(true);
    expect(hasSoaked(new Map([[name, known(completed)]]), updateTarget)).toBe(true);
    expect(hasSoaked(new Map([[name, known({ ...completed, version: "2.0.0" })]]), updateTarget)).toBe(false);
    expect(hasSoaked(new Map([[name, { kind: "unknown", reason: "" } as const]]), updateTarget)).toBe(false);
  });
});

test.for([
  { when: "another one", of: rule, problems: [] },
  { when: "itself", of: { ...rule, namespace: null, name: "app" }, problems: ["names deployment/shop/app itself"] },
])("a workload that waits for $when", ({ of, problems }) => {
  const found = afterProblems(workload({ policy: { after: [of] } })).map(({ text }) => text);
  expect(found).toEqual(problems.map((text) => expect.stringContaining(text)));
});
