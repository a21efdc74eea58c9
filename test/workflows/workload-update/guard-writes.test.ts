import { describe, expect, test } from "vitest";
import type { VerificationOutcome } from "../../../functions/domain/signature/outcome.ts";
import type { RuleScope } from "../../../functions/domain/signature/rule.ts";
import type { JobRun } from "../../../functions/domain/workload/cron-job/job-run.ts";
import type { Change } from "../../../functions/domain/workload/update/change.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { guardTask, guardWrites } from "../../../functions/workflows/workload-update/guard-writes.ts";
import { around, step } from "../../handlers/steps.ts";
import { digest, digestWorkload, prod, restartingWorkload } from "../../support/digest-workloads.ts";
import type { FakeOptions } from "../../support/fake-ports.ts";
import { claw, image, target, updatingWorkload, workload } from "../../support/workloads.ts";

const scopes: readonly RuleScope[] = [{ repositories: ["registry.example/shop"], namespaces: null, mode: "enforce" }];
const unmatched: VerificationOutcome = { kind: "unmatched", digest: null, reason: "no rule is for it" };
const unsigned: VerificationOutcome = { kind: "unverified", digest: digest(8), reason: "no valid signature" };
const signed: VerificationOutcome = { kind: "verified", digest: digest(8), reason: "signed by key release.pub" };
const enforced: VerificationOutcome = { kind: "verified", digest: digest(7), reason: "signed by key release.pub" };

/** Creates ports around one workload, with rules, and a verifier that answers so. */
function given(of: Workload, answer: VerificationOutcome | Error = unsigned, options: FakeOptions = {}) {
  const asked: string[] = [];
  const verifier = {
    scopes,
    async verify(_: unknown, { image: one }: { readonly image: string }) {
      asked.push(one);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { asked, ports: { ...around(of, options), verifier } };
}

describe("a write of a container whose repository has a rule, in an update that has none", () => {
  const other = "registry.example/shop/sidecar:2";
  const input = { ...step, target: { kind: "image", image: "free.example/app:1" }, verification: unmatched } as const;
  const template = { spec: { containers: [{ name: "sidecar", image: other }] } };
  const two = digestWorkload({ digests: { containers: [{ name: "sidecar", image: other }] } });

  test.for<{ what: string; of?: Workload; change: Change }>([
    { what: "an image", change: { image: target } },
    { what: "a canary", change: { canary: { image: target, size: { amount: 1, unit: "replicas" } as never } } },
    { what: "a forged restore of a template", change: { template } },
    { what: "a forged pin", of: two, change: { pins: { sidecar: digest(6) } } },
    { what: "a restored digest", of: two, change: { written: { sidecar: digest(6) } } },
  ])("$what is refused if it is not signed", async ({ of = workload(), change }) => {
    const { ports, asked } = given(of);
    await expect(guardWrites(ports, input).cluster.change(of, change)).rejects.toThrow("no valid signature");
    expect(ports.cluster.get()).toEqual(of);
    expect(asked).toHaveLength(1);
  });

  test("is written with the digest that is verified for it", async () => {
    const of = workload();
    const { ports } = given(of, signed);
    await guardWrites(ports, input).cluster.change(of, { image: target });
    expect(ports.cluster.get().image).toBe(`${target}@${digest(8)}`);
  });

  test("is refused by another digest than is verified for it", async () => {
    const of = workload();
    const { ports } = given(of, signed);
    const change = { image: `${target}@${digest(6)}` };
    await expect(guardWrites(ports, input).cluster.change(of, change)).rejects.toThrow("cannot be written");
  });

  test("decides nothing while the registry does not answer", async () => {
    const of = workload();
    const { ports } = given(of, new Unreachable("no answer"));
    const written = guardWrites(ports, input).cluster.change(of, { image: target });
    await expect(written).rejects.toMatchObject({ name: "Unreachable" });
  });

  test("of the rest, nothing is asked", async () => {
    const of = workload();
    const { ports, asked } = given(of);
    await guardWrites(ports, input).cluster.change(of, { image: "free.example/app:2" });
    expect(asked).toEqual([]);
  });
});

describe("the Job of an update", () => {
  const job = { name: "j", template: "t", deadlineSeconds: 60, variables: {}, uid: null };
  const run = async (of: Workload, spec: string | null, answer?: VerificationOutcome) => {
    const { ports } = given(of, answer);
    await guardWrites(ports, { ...step, verification: enforced }).cluster.startHook(of, { ...job, image: spec });
    return ports.cluster.hookJobs.map((one) => one.image);
  };

  test.for([
    { what: "runs the verified image", spec: `${target}@${digest(7)}`, runs: `${target}@${digest(7)}` },
    { what: "runs the image in place", spec: image, runs: image },
    { what: "runs that of its template", spec: null, runs: null },
  ])("$what", async ({ spec, runs }) => {
    expect(await run(workload(), spec)).toEqual([runs]);
  });

  test("runs a tag by the digest that is verified", async () => {
    expect(await run(claw(), target, signed)).toEqual([`${target}@${digest(8)}`]);
  });

  test("does not run the digest that a forged record names", async () => {
    await expect(run(workload(), `${target}@${digest(6)}`)).rejects.toThrow("no valid signature");
  });
});

describe("a rollback to an image that nobody has signed", () => {
  const input = { ...step, verdict: "expired", reason: "not ready", verification: enforced };
  const failing = updatingWorkload({ image: target });
  const revert = (of: Workload, answer?: VerificationOutcome | Error, options?: FakeOptions) => {
    const { ports, asked } = given(of, answer, options);
    return { asked, ports, end: guardTask(rollBack)(ports, input) };
  };
  const cronJob = { ...failing, ref: { ...failing.ref, kind: "CronJob" } };
  const job: JobRun = {
    name: "app-1",
    createdAt: new Date(0),
    image,
    result: "succeeded",
    reason: "",
    isByItself: false,
    evidence: [],
  };

  test.for<{ what: string; of: Workload; options: FakeOptions }>([
    {
      what: "one of its revisions",
      of: failing,
      options: {
        snapshots: [{ revision: "r-1", number: 1, hash: "h", image, template: { spec: { containers: [] } } }],
      },
    },
    { what: "one of its Jobs", of: cronJob, options: { jobs: () => [job] } },
  ])("restores it if $what has it, and asks nobody", async ({ of, options }) => {
    const { ports, end, asked } = revert(of, unsigned, options);
    await end;
    expect([ports.cluster.get().image, asked]).toEqual([image, []]);
  });

  test.for([{ kind: "CronJob" }, { kind: "Deployment" }, { kind: "StatefulSet" }, { kind: "StatefulCanary" }])(
    "ends the update of a $kind that kept none, restores nothing, and says so",
    async ({ kind }) => {
      const { ports, end } = revert({ ...failing, ref: { ...failing.ref, kind } });
      expect(await end).toMatchObject({ kind: "reverting" });
      const { image: running, updateRecord, backOff, inFlight } = ports.cluster.get();
      expect(running).toBe(target);
      const [entry] = updateRecord.versionHistory;
      expect(entry).toMatchObject({
        status: "Withdrawn",
        reason: expect.stringContaining(
          "1.0.0 is not restored: it is not verified, and no revision of the workload has it",
        ),
      });
      expect(updateRecord).toMatchObject({
        failedVersions: [],
        rollbackCount: 1,
      });
      expect(backOff).toMatchObject({ target: { image: target } });
      expect(inFlight?.phase).toBe("rollback");
    },
  );

  test("restores it by digest if it is signed after all", async () => {
    const { ports, end } = revert(cronJob, signed);
    await end;
    expect(ports.cluster.get().image).toBe(`${image}@${digest(8)}`);
  });

  test("decides nothing while the registry does not answer", async () => {
    const { ports, end } = revert(cronJob, new Unreachable("no answer"));
    await expect(end).rejects.toMatchObject({ name: "Unreachable" });
    expect(ports.cluster.get()).toEqual(cronJob);
  });

  test("of digests blames nothing", async () => {
    const of = restartingWorkload({ policy: { rollsBackDigests: true }, digests: { ran: { app: digest(1) } } });
    const { ports } = given(of);
    const restart = {
      ...input,
      target: of.inFlight!.target,
      strategy: "restart",
      digests: `app:${digest(2)}`,
    } as const;
    await guardTask(rollBack)(ports, restart);
    const after = ports.cluster.get();
    expect([after.image, after.updateRecord.failedVersions]).toEqual([prod, []]);
    expect(after.updateRecord.versionHistory[0]?.reason).toContain("the previous digest is not restored");
  });
});
