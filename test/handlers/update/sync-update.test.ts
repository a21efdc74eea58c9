import { describe, expect, test } from "vitest";
import type { InFlight } from "../../../functions/domain/workload/update/in-flight.ts";
import { claimIdOf } from "../../../functions/domain/git/commit-message.ts";
import { fieldProblem } from "../../../functions/domain/workload/policy/problem.ts";
import { toRollback } from "../../../functions/domain/workload/update/in-flight.ts";
import { autoUpdateName } from "../../../functions/domain/workload/record/auto-update-name.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { rollBack } from "../../../functions/handlers/roll-back.ts";
import { syncUpdate } from "../../../functions/handlers/sync-update.ts";
import { Forbidden, Throttled, Unreachable } from "../../../functions/ports/errors.ts";
import { type GitChange, GitRefused, type GitRepository } from "../../../functions/ports/git-repository.ts";
import { syncClaim } from "../../../functions/workflows/workload-update/sync-update.ts";
import { fakePorts, type FakeOptions } from "../../support/fake-ports.ts";
import { createMemoryGit } from "../../support/git/memory-git.ts";
import { completeRollout, image, inFlight, noon, target, workload } from "../../support/workloads.ts";
import { expectSelectable, step as common } from "../steps.ts";

const step = { ...common, executionStartedAt: noon.toISOString() };
const policy = { writeTo: "config" };
const git = { repository: "config", since: noon };
const pending = { ...inFlight, isApplied: false, git };
const digest = `sha256:${"b".repeat(64)}`;

const waiting = (parts: Parameters<typeof workload>[0] = {}) => workload({ policy, inFlight: pending, ...parts });
const named = (name: string, parts: Parameters<typeof workload>[0] = {}) =>
  waiting({ ref: { ...workload().ref, name, uid: `u-${name}` }, ...parts });
const line = (name: string, of: string) => `image: ${of} # {"$imagepolicy": "shop:deployment-${name}"}\n`;

/** A branch of one file, whose commits are kept. */
function branch(initial: string, moves = 0) {
  let text = initial;
  const commits: GitChange[] = [];
  const reads: string[] = [];
  const messages: string[] = [];
  const repository: GitRepository = {
    name: "config",
    mode: "commit",
    readHead: async () => {
      reads.push(`c-${reads.length}`);
      return { commit: `c-${reads.length}`, files: new Map([["web.yaml", text]]), skipped: new Map() };
    },
    readLog: async () => messages.map((message) => ({ commit: "abc123", message })),
    commit: async (change) => {
      commits.push(change);
      if (commits.length <= moves) return { kind: "moved" };
      messages.unshift(change.body);
      text = change.files.get("web.yaml") ?? text;
      return { kind: "committed", commit: "abc123", url: "https://git/abc123" };
    },
    propose: () => Promise.reject(new Error("not in this mode")),
    listProposals: async () => [],
    readProposal: async () => null,
    closeProposal: async () => undefined,
    mergeProposal: async () => null,
  };
  const revert = () => void (text = initial);
  return { repository, commits, reads, revert };
}

function around(workloads: readonly Workload[], one: ReturnType<typeof branch>, options: FakeOptions = {}) {
  return fakePorts({ workloads, git: [one.repository], ...options });
}

test("ApplyUpdate claims, and writes neither the workload nor git", async () => {
  const config = branch(line("app", image));
  const ports = around([workload({ policy })], config);
  const result = await applyUpdate(ports, common);
  expect(result).toMatchObject({ kind: "sync", waitSeconds: 15 });
  expectSelectable("ApplyUpdate", result);
  expect(ports.cluster.get()).toMatchObject({ image, inFlight: { isApplied: false, git } });
  expect(config.reads).toEqual([]);
});

test("a workload with a long name has the marker with the name of its AutoUpdate", async () => {
  const name = "a".repeat(253);
  const ref = { ...workload().ref, name };
  const config = branch(`image: ${image} # {"$imagepolicy": "shop:${autoUpdateName(ref)}"}\n`);
  const ports = around([waiting({ ref })], config);
  await syncUpdate(ports, { ...step, workload: ref });
  expect(config.commits).toHaveLength(1);
});

test("one commit has the images of all that wait, and of no other workload", async () => {
  const names = ["app", "b", "c", "aborted", "elsewhere", "optedOut", "otherRepository", "changed"];
  const config = branch(names.map((name) => line(name, image)).join("---\n"));
  const others = [
    named("b"),
    named("c", { inFlight: { ...toRollback(pending, false, noon), git }, image: target }),
    named("aborted", { verdict: "abort" }),
    named("elsewhere", {
      record: { ...workload().record, claimedElsewhereUntil: noon },
    }),
    named("optedOut", { policy: { ...policy, optIn: "no" } }),
    named("otherRepository", { inFlight: { ...pending, git: { ...git, repository: "other" } } }),
    // By a person, just now.
    named("changed", { image: image.replace("1.0.0", "1.0.1") }),
    named("idle", { inFlight: null }),
    named("missing"),
    named("verified", { policy: { ...policy, isVerifyRequired: true } }),
  ];
  const ports = around([waiting(), ...others], config);
  const result = await syncUpdate(ports, step);
  expect(result).toMatchObject({ kind: "progressing", reason: expect.stringContaining("https://git/abc123") });
  expectSelectable("SyncUpdate", result);
  const [{ files, headline, expectedHead } = { files: new Map<string, string>(), headline: "", expectedHead: "" }] =
    config.commits;
  expect(config.commits).toHaveLength(1);
  expect({ headline, expectedHead }).toEqual({ headline: "Update shop/app to 1.1.0 and 1 more", expectedHead: "c-1" });
  const written = files
    .get("web.yaml")
    ?.split("\n")
    .filter((one) => one.includes(target));
  expect(written).toEqual([line("app", target), line("b", target)].map((one) => one.trim()));
  expect(ports.cluster.get().inFlight?.git).toEqual({ ...git, commit: "abc123", url: "https://git/abc123" });
  expect(ports.cluster.events()).toMatchObject([{ reason: "AutoUpdateCommitted" }]);
});

test("a head that moved is read again, three times at most", async () => {
  for (const { moves, commits, commit } of [
    { moves: 2, commits: 3, commit: "abc123" },
    { moves: 9, commits: 3, commit: undefined },
  ]) {
    const config = branch(line("app", image), moves);
    const ports = around([waiting()], config);
    expect((await syncUpdate(ports, step)).kind).toBe("progressing");
    expect(config.commits.map(({ expectedHead }) => expectedHead)).toEqual(["c-1", "c-2", "c-3"].slice(0, commits));
    expect(ports.cluster.get().inFlight?.git?.commit).toBe(commit);
  }
});

test("files that name the image already are not written: the commit is noted", async () => {
  const config = branch(line("app", target));
  const ports = around([waiting()], config);
  expect((await syncUpdate(ports, step)).kind).toBe("progressing");
  expect(config.commits).toEqual([]);
  expect(ports.cluster.get().inFlight?.git?.commit).toBe("c-1");
});

test("a file that was not read is in the reason why nothing is written", async () => {
  const config = branch("");
  const skipped = new Map([["big.yaml", "it is larger than 1 MiB; move the image to a smaller file"]]);
  config.repository.readHead = async () => ({ commit: "c-1", files: new Map(), skipped });
  const ports = around([waiting()], config);
  const { reason } = await syncUpdate(ports, step);
  expect(reason).toContain("Not read: big.yaml: it is larger than 1 MiB");
});

test("a wait grows to five minutes, is noted once, and is reported after a quarter of an hour", async () => {
  const ports = around(
    [waiting({ inFlight: { ...pending, git: { ...git, commit: "c-0" } } })],
    branch(line("app", target)),
  );
  const waits: number[] = [];
  for (const seconds of [0, 600, 2400]) {
    ports.pass(seconds);
    waits.push((await syncUpdate(ports, step)).waitSeconds);
  }
  expect(waits).toEqual([30, 60, 300]);
  expect(ports.cluster.get().inFlight?.observation).toMatchObject({ kind: "waiting", since: noon });
  expect(ports.cluster.events()).toMatchObject([{ reason: "AutoUpdateSyncSlow" }]);
  const { record } = ports.cluster.get();
  await syncUpdate(ports, step);
  expect(ports.cluster.get().record).toEqual(record);
  ports.pass(86_400);
  expect((await syncUpdate(ports, step)).kind).toBe("continue");
});

describe("a pull request that a person merges late is not reported as a slow sync", () => {
  const open = async (text: string, parts: Parameters<typeof workload>[0] = {}) => {
    const { git: memory, host } = createMemoryGit({ files: { "web.yaml": text }, mode: "pullRequest" });
    const ports = fakePorts({ workloads: [waiting(parts)], git: [{ ...memory, name: "config" }] });
    await syncUpdate(ports, step);
    const reported = () => ports.cluster.events().map(({ reason }) => reason);
    return { ports, host, reported };
  };

  test("until its controller had time to bring it", async () => {
    const { ports, host, reported } = await open(line("app", image));
    ports.pass(1800);
    await host.merge(1);
    await syncUpdate(ports, step);
    await syncUpdate(ports, step);
    expect(reported()).toEqual(["AutoUpdateProposed", "AutoUpdateCommitted"]);
    ports.pass(1200);
    await syncUpdate(ports, step);
    expect(reported()).toEqual(["AutoUpdateProposed", "AutoUpdateCommitted", "AutoUpdateSyncSlow"]);
  });

  test("nor is that of a rollback", async () => {
    const rollback = { ...toRollback(pending, false, noon), git };
    const { ports, reported } = await open(line("app", target), { image: target, inFlight: rollback });
    ports.pass(1800);
    await syncUpdate(ports, step);
    expect(reported()).toEqual(["AutoUpdateProposed"]);
    expect(ports.published).toMatchObject([
      { type: "Update Held", image: target, reason: expect.stringContaining("pull") },
    ]);
  });
});

describe("an update that ends while its pull request is open", () => {
  const newer = { ...step, newer: "1.2.0" };
  const open = async () => {
    const { git: memory, host } = createMemoryGit({ files: { "web.yaml": line("app", image) }, mode: "pullRequest" });
    const calls = { ...memory, name: "config" };
    const ports = fakePorts({ workloads: [waiting()], git: [calls] });
    await syncUpdate(ports, step);
    ports.pass(7200);
    const states = async () => (await memory.listProposals()).map(({ state }) => state);
    return { ports, host, calls, memory, states, claim: () => ports.cluster.get().inFlight };
  };
  const ended = { kind: "superseded", waitSeconds: 0, reason: "1.2.0 takes its place" };

  test("closes it, without a trace, for a newer version", async () => {
    const { ports, states, claim } = await open();
    expect(await syncUpdate(ports, newer)).toEqual(ended);
    expect(await states()).toEqual(["withdrawn"]);
    expect(claim()).toBeNull();
    expect(ports.cluster.get().updateRecord).toMatchObject({ minimumVersion: null, versionHistory: [] });
  });

  test.for([
    { act: "merge", kind: "progressing", isFollowed: true },
    { act: "close", kind: "held", isFollowed: false },
  ] as const)("asks what a person did: $act", async ({ act, kind, isFollowed }) => {
    const { ports, host, claim } = await open();
    await host[act](1);
    expect(await syncUpdate(ports, newer)).toMatchObject({ kind });
    expect(claim()?.git?.commit !== undefined).toBe(isFollowed);
  });

  test("follows it if it is merged at the last moment", async () => {
    const { ports, host, calls, memory, claim } = await open();
    calls.closeProposal = async (...args) => {
      await host.merge(1);
      await memory.closeProposal(...args);
    };
    expect(await syncUpdate(ports, newer)).toMatchObject({ kind: "progressing" });
    expect(claim()?.git?.commit).toBeUndefined();
    expect(await syncUpdate(ports, newer)).toMatchObject({ kind: "progressing" });
    expect(claim()?.git?.commit).toEqual(expect.any(String));
  });

  test.for(["before", "after"] as const)("ends although it is killed %s the close, and opens no other", async (at) => {
    const { ports, calls, memory, states, claim } = await open();
    calls.closeProposal = async (...args) => {
      if (at === "after") await memory.closeProposal(...args);
      calls.closeProposal = memory.closeProposal;
      throw new Error("killed");
    };
    await expect(syncUpdate(ports, newer)).rejects.toThrow("killed");
    expect(claim()).not.toBeNull();
    expect(await syncUpdate(ports, newer)).toEqual(ended);
    expect(await states()).toEqual(["withdrawn"]);
  });

  test.for([
    { when: "names another repository", policy: { writeTo: "other" }, names: "git/other" },
    { when: "names none any more", policy: {}, names: "no repository" },
  ])("closes it if its policy $when", async (changed) => {
    const { ports, memory, claim } = await open();
    ports.cluster.put({ ...ports.cluster.get(), policy: workload(changed).policy });
    expect(await syncUpdate(ports, step)).toMatchObject({ kind: "superseded" });
    const [{ state, body } = { state: "", body: "" }] = await memory.listProposals();
    expect({ state, claim: claim() }).toEqual({ state: "withdrawn", claim: null });
    expect(body).toContain(`its policy names ${changed.names} in writeTo now`);
  });

  test("opens another at once if a person has changed the same place of the branch", async () => {
    const { host, memory, ports, states } = await open();
    expect(await syncUpdate(ports, step)).toMatchObject({ kind: "parked" });
    await host.push({ "web.yaml": `# A person.\n${line("app", image)}` });
    await syncUpdate(ports, step);
    expect(await states()).toEqual(["open", "withdrawn"]);
    expect(ports.cluster.get().inFlight?.git?.url).toBe((await memory.listProposals())[0]?.url);
  });

  test("waits with it while its policy has a problem", async () => {
    const { ports, states } = await open();
    const problems = [fieldProblem("pawl.dev/write-to", "InvalidValue", "does not allow it")];
    ports.cluster.put({ ...ports.cluster.get(), policy: workload({ policy: {} }).policy, problems });
    expect(await syncUpdate(ports, step)).toMatchObject({ kind: "parked" });
    expect(await states()).toEqual(["open"]);
  });

  test("asks again soon if the host does not answer, and does not sleep", async () => {
    const { ports, calls } = await open();
    calls.readHead = () => Promise.reject(new Unreachable("no answer"));
    expect(await syncUpdate(ports, step)).toMatchObject({ kind: "parked", waitSeconds: 3600 });
    expect(await syncUpdate(ports, newer)).toMatchObject({ kind: "progressing", waitSeconds: 300 });
  });

  test("is not proposed again by the execution that slept, if it wakes up just then", async () => {
    const { ports, calls, memory, states } = await open();
    calls.readHead = async () => {
      calls.readHead = memory.readHead;
      ports.cluster.put({ ...ports.cluster.get(), inFlight: { ...pending, execution: "e-2" } });
      await memory.closeProposal("https://git.test/pull/1", "1.2.0 takes its place");
      return memory.readHead();
    };
    await expect(syncUpdate(ports, step)).rejects.toThrow(expect.objectContaining({ name: "Conflict" }));
    expect(await syncUpdate(ports, step)).toMatchObject({ kind: "superseded" });
    expect(await states()).toEqual(["withdrawn"]);
  });

  test("ends if the deployment does not have the repository any more", async () => {
    const { ports, claim } = await open();
    expect(await syncUpdate({ ...ports, git: async () => null }, newer)).toEqual(ended);
    expect(claim()).toBeNull();
  });
});

describe("an image of which no registry says who has signed it", () => {
  const verification = { kind: "unknown", digest: null, reason: "no answer" } as const;
  const asked = { ...common, verification, execution: "e-2" };
  const open = async (mode: GitRepository["mode"]) => {
    const { git: memory, host } = createMemoryGit({ files: { "web.yaml": line("app", image) }, mode });
    const ports = fakePorts({ workloads: [waiting()], git: [{ ...memory, name: "config" }] });
    const sync = (more: object = {}) => syncUpdate(ports, { ...step, ...more });
    return { ports, memory, host, sync };
  };

  test.for(["commit", "pullRequest"] as const)("is not written: %s", async (mode) => {
    const { ports, memory, host, sync } = await open(mode);
    expect(await adoptUpdate(ports, asked)).toMatchObject({ kind: "sync" });
    expect(await sync(asked)).toMatchObject({ kind: "refused", reason: "the image is not verified: no answer" });
    expect(await host.log()).toEqual(["initial"]);
    expect(await memory.listProposals()).toEqual([]);
  });

  test.for(["commit", "pullRequest"] as const)("is not reverted if it is written already: %s", async (mode) => {
    const { ports, memory, host, sync } = await open(mode);
    await sync();
    expect(await adoptUpdate(ports, asked)).toMatchObject({ kind: "sync" });
    expect(await sync(asked)).toMatchObject({ kind: "progressing" });
    expect((await memory.listProposals()).filter(({ state }) => state !== "open")).toEqual([]);
    if (mode === "pullRequest") await host.merge(1);
    expect(await sync(asked)).toMatchObject({ kind: "progressing" });
    expect(ports.cluster.get().inFlight).toMatchObject({ phase: "rollout", git: { commit: expect.any(String) } });
    expect(await host.read("web.yaml")).toBe(line("app", target));
  });
});

describe("two updates that share a pull request", () => {
  const share = async () => {
    const files = { "a.yaml": line("a", image), "b.yaml": line("b", image) };
    const { git: memory, host } = createMemoryGit({ files, mode: "pullRequest" });
    const ports = fakePorts({ workloads: [named("a"), named("b")], git: [{ ...memory, name: "config" }] });
    const get = (name: string) => ports.cluster.all().find(({ ref }) => ref.name === name) as Workload;
    const sync = (name: string, more: object = {}) => syncUpdate(ports, { ...step, workload: get(name).ref, ...more });
    const claimAgain = (name: string) => {
      ports.pass(60);
      ports.cluster.put({ ...get(name), inFlight: { ...pending, git: { ...git, since: ports.now() } } });
    };
    const listed = async () =>
      (await memory.listProposals()).map(({ state, body }) => `${state} ${body.match(/(?<=shop\/).(?=:)/g)?.join("")}`);
    await sync("a");
    await sync("b");
    expect(await listed()).toEqual(["open ab"]);
    return { host, memory, ports, get, sync, claimAgain, listed };
  };

  test("hold both versions if a person closes it, also if the next claim of one is first", async () => {
    const { host, sync, claimAgain, listed } = await share();
    await host.close(1);
    expect(await sync("a")).toMatchObject({ kind: "held" });
    claimAgain("a");
    expect(await sync("a")).toMatchObject({ kind: "progressing" });
    expect(await listed()).toEqual(["open a", "closed ab"]);
    expect(await sync("b")).toMatchObject({ kind: "held" });
  });

  test.for([
    { why: "the policy of one does not allow it", change: { policy: workload({ policy: {} }).policy } },
    { why: "a person changes the image of one", change: {} },
  ])("are not in one together any more if $why before it is recorded", async ({ why, change }) => {
    const { host, ports, get, sync, listed } = await share();
    ports.cluster.put({ ...get("b"), ...change, inFlight: pending });
    if (why.startsWith("a person")) await host.push({ "b.yaml": line("b", image.replace("1.0.0", "1.0.1")) });
    expect(await sync("b")).toMatchObject({ kind: "refused" });
    expect(await listed()).toEqual(["withdrawn ab"]);
    expect(await sync("a")).toMatchObject({ kind: "progressing" });
  });

  test.for([
    { when: "is open", isMerged: false, kind: "superseded", states: ["withdrawn ab", "withdrawn ab"] },
    { when: "is merged just then", isMerged: true, kind: "progressing", states: ["merged ab", "withdrawn ab"] },
  ])("end one that sleeps since it is closed, and its next one $when", async ({ isMerged, kind, states }) => {
    const { host, memory, ports, get, sync, claimAgain, listed } = await share();
    await memory.closeProposal("https://git.test/pull/1", "b has ended");
    claimAgain("b");
    await sync("b");
    expect(await listed()).toEqual(["open ab", "withdrawn ab"]);
    ports.cluster.put({ ...get("a"), policy: workload({ policy: {} }).policy });
    const { closeProposal } = memory;
    const closing = async (...args: Parameters<typeof closeProposal>) => {
      if (isMerged) await host.merge(2);
      await closeProposal(...args);
    };
    const late = { ...memory, name: "config", closeProposal: closing };
    expect(await syncUpdate({ ...ports, git: async () => late }, { ...step, workload: get("a").ref })).toMatchObject({
      kind,
    });
    expect(await listed()).toEqual(states);
  });
});

test("1,000 workloads share a few pull requests, and each is in one", { timeout: 240_000 }, async () => {
  const names = [...Array(1000).keys()].map((index) => `web-${index}`);
  const texts = names.map((name) => [`${name}.yaml`, line(name, image)]);
  const { git: memory } = createMemoryGit({ files: Object.fromEntries(texts), mode: "pullRequest" });
  const workloads = names.map((name) => named(name));
  const ports = fakePorts({ workloads, git: [{ ...memory, name: "config" }] });
  const claims = new Map(workloads.map((one) => [`Claim: ${claimIdOf(one.ref.uid, noon)}`, one]));
  const found: string[] = [];
  const bodies = async () => (await memory.listProposals()).map(({ body }) => body);
  for (;;) {
    found.splice(0, Infinity, ...(await bodies()).flatMap((body) => body.match(/^Claim: .*$/gm) ?? []));
    const next = [...claims].find(([claim]) => !found.includes(claim));
    if (next === undefined) break;
    const { kind, reason } = await syncUpdate(ports, { ...step, workload: next[1].ref });
    expect(kind, reason).toBe("progressing");
  }
  expect(found.toSorted()).toEqual([...claims.keys()].toSorted());
  expect(await bodies()).toHaveLength(2);
});

test("the health timeout counts from when the workload has the image", async () => {
  const synced = waiting({ image: target, rollout: { ...completeRollout, readyReplicas: 0 } });
  const config = branch(line("app", target));
  const ports = around([synced], config);
  ports.pass(3600);
  const result = await syncUpdate(ports, step);
  expect(result.kind).toBe("synced");
  expectSelectable("SyncUpdate", result);
  expect(ports.cluster.get().inFlight).toMatchObject({ startedAt: ports.now(), isApplied: true });
  expect(config.reads).toEqual([]);
  const recorded = ports.cluster.get();
  expect((await syncUpdate(ports, step)).kind).toBe("synced");
  expect(ports.cluster.get()).toBe(recorded);
  // The state after it frees a StatefulSet whose pods are stuck, which could not be fixed forward otherwise.
  expect((await adoptUpdate(ports, common)).kind).toBe("adopted");
  expect(ports.cluster.stuckPodDeletions).toEqual([ports.now()]);
  expect(ports.cluster.get()).toBe(recorded);
});

describe("nothing is written", () => {
  const cases: readonly {
    readonly when: string;
    readonly initial?: Workload;
    readonly text?: string;
    readonly error?: Error;
    readonly result: string;
  }[] = [
    { when: "the files do not name it", text: "a: b\n", result: "refused" },
    {
      when: "the field is part of a list",
      text: `- [${image}] # {"$imagepolicy": "shop:deployment-app"}\n`,
      result: "refused",
    },
    {
      when: "its policy asks for a digest, and the field has a tag",
      initial: waiting({ inFlight: { ...pending, target: { ...pending.target, digest, pinned: true } } }),
      text: `tag: 1.0.0 # {"$imagepolicy": "shop:deployment-app:tag"}\n`,
      result: "refused",
    },
    { when: "the branch is protected", error: new GitRefused("protected"), result: "refused" },
    { when: "the App has no access", error: new Forbidden("not installed"), result: "refused" },
    { when: "the rate limit is reached", error: new Throttled("secondary limit", 60), result: "progressing" },
    { when: "a person aborts it", initial: waiting({ verdict: "abort" }), result: "abort" },
    { when: "its owner opts out", initial: waiting({ policy: { ...policy, optIn: "no" } }), result: "abort" },
    {
      when: "a person sets another image",
      initial: waiting({ image: image.replace("1.0.0", "1.0.1") }),
      result: "superseded",
    },
    {
      when: "the deployment has the repository no more",
      initial: waiting({ policy: { writeTo: "old" }, inFlight: { ...pending, git: { ...git, repository: "old" } } }),
      result: "refused",
    },
    { when: "its policy names no repository any more", initial: waiting({ policy: {} }), result: "refused" },
    {
      when: "its policy names another repository",
      initial: waiting({ policy: { writeTo: "other" } }),
      result: "refused",
    },
    {
      when: "the repository does not allow its namespace any more",
      initial: waiting({ problems: [fieldProblem("pawl.dev/write-to", "InvalidValue", "does not allow it")] }),
      result: "refused",
    },
  ];
  test.for(cases)("if $when: $result", async ({ initial = waiting(), text = line("app", image), error, result }) => {
    const config = branch(text);
    const answers = { ...config.repository, commit: () => Promise.reject(error ?? new Error("no commit is expected")) };
    const ports = fakePorts({ workloads: [initial], git: [answers] });
    const before = ports.cluster.get();
    const answer = await syncUpdate(ports, step);
    expect(answer.kind, answer.reason).toBe(result);
    expectSelectable("SyncUpdate", answer);
    expect(ports.cluster.get().image).toBe(before.image);
  });

  test("if the host does not answer: it is waited for, and the reason names the host", async () => {
    const { repository } = branch("");
    const silent = { ...repository, readHead: () => Promise.reject(new Unreachable("api.github.com: no answer")) };
    const ports = fakePorts({ workloads: [waiting()], git: [silent] });
    const reason = "api.github.com: no answer";
    expect(await syncUpdate(ports, step)).toMatchObject({ kind: "progressing", waitSeconds: 30, reason });
    expect(ports.cluster.get().inFlight?.observation).toMatchObject({ kind: "waiting", reason });
  });

  test.for([
    { asks: 600, random: 0, waits: 600 },
    { asks: 600, random: 0.5, waits: 750 },
    { asks: null, random: 0, waits: 60 },
    { asks: 90_000, random: 1, waits: 3900 },
    { asks: 1, random: 0, waits: 30 },
  ])("before the time that the host asks for: $asks, with jitter of $random", async ({ asks, random, waits }) => {
    const { repository } = branch("");
    const limited = { ...repository, readHead: () => Promise.reject(new Throttled("limited", asks)) };
    const ports = fakePorts({ workloads: [waiting()], git: [limited] });
    const claim = { kind: "held", workload: ports.cluster.get(), inFlight: pending } as const;
    const result = await syncClaim({ ...ports, random: () => random }, claim, step);
    expect(result).toMatchObject({ kind: "progressing", waitSeconds: waits });
  });
});

test("a commit names the gates of its policy, and links the page for a team", async () => {
  const { repository, commits } = branch(line("app", image));
  const ports = fakePorts({
    workloads: [waiting({ policy: { ...policy, minimumReleaseAgeSeconds: 3600 } })],
    git: [{ ...repository, pageUrl: "https://pawl.example.com" }],
  });
  await syncUpdate(ports, step);
  const [{ body } = { body: "" }] = commits;
  expect(body).toContain("Gates of its policy: minimumAge\n");
  expect(body).toContain("See https://pawl.example.com/#/workload/production:deployment/shop/app\n");
});

test("what a person reverts in git is held, and the claim is released", async () => {
  const config = branch(line("app", image));
  const ports = around([waiting({ inFlight: { ...pending, git: { ...git, commit: "abc123" } } })], config);
  const result = await syncUpdate(ports, step);
  expect(result).toMatchObject({ kind: "held", reason: expect.stringContaining("abc123") });
  expect(ports.published).toMatchObject([{ type: "Update Held", reason: expect.stringContaining("abc123") }]);
  expectSelectable("SyncUpdate", result);
  expect(config.commits).toEqual([]);
  const { inFlight: claim, updateRecord } = ports.cluster.get();
  expect({ claim, minimum: updateRecord.minimumVersion, failed: updateRecord.failedVersions }).toEqual({
    claim: null,
    minimum: "1.1.0",
    failed: [],
  });
});

test("what a person reverts before its commit is recorded is held, and not committed again", async () => {
  const config = branch(line("app", image));
  const ports = around([waiting()], config);
  const before = ports.cluster.get();
  await syncUpdate(ports, step);
  ports.cluster.put(before);
  config.revert();
  const result = await syncUpdate(ports, step);
  expect(result).toMatchObject({ kind: "held", reason: expect.stringContaining("committed in abc123, and reverted") });
  expect(config.commits).toHaveLength(1);
});

test("an update that waits beside one that a person reverted does not commit that one again", async () => {
  const config = branch(["app", "b"].map((name) => line(name, image)).join("---\n"));
  await syncUpdate(around([waiting()], config), step);
  config.revert();
  const b = { ...step, workload: named("b").ref };
  expect((await syncUpdate(around([waiting(), named("b")], config), b)).kind).toBe("progressing");
  expect(config.commits.map(({ headline }) => headline)).toEqual([
    "Update shop/app to 1.1.0",
    "Update shop/b to 1.1.0",
  ]);
});

test("files with a problem after the commit are waited for: no person named another image", async () => {
  const ports = around(
    [waiting({ inFlight: { ...pending, git: { ...git, commit: "abc123" } } })],
    branch(`${line("app", target)}other: a: b\n`),
  );
  const result = await syncUpdate(ports, step);
  expect(result).toMatchObject({ kind: "progressing", reason: expect.stringContaining("abc123") });
  expect(ports.cluster.get().inFlight?.git?.commit).toBe("abc123");
});

describe("a commit that the workload does not have yet", () => {
  const committed = { ...pending, git: { ...git, commit: "abc123" } };
  const person = image.replace("1.0.0", "1.0.1");
  test.for<{ when: string; parts?: Parameters<typeof workload>[0]; error?: Error; name?: string }>([
    { when: "the App may read no more", error: new Forbidden("401: Bad credentials") },
    { when: "the branch was deleted", error: new GitRefused("not found") },
    { when: "its repository is renamed in the configuration", name: "renamed" },
    { when: "its policy names another repository", parts: { policy: { writeTo: "other" } } },
    { when: "a person sets another image", parts: { image: person, source: person } },
  ])("is waited for if $when, and judged once it is there", async ({ parts, error, name = "config" }) => {
    const { repository } = branch(line("app", target));
    const readHead = () => (error ? Promise.reject(error) : repository.readHead());
    const answers = { ...repository, name, readHead };
    const ports = fakePorts({ workloads: [waiting({ inFlight: committed, ...parts })], git: [answers] });
    expect((await syncUpdate(ports, step)).kind).toBe("progressing");
    const { rollout, ...kept } = ports.cluster.get();
    expect(kept.inFlight?.git).toEqual(committed.git);
    ports.cluster.put({ ...kept, image: target, source: target, rollout });
    expect((await syncUpdate(ports, step)).kind).toBe("synced");
  });

  test("is followed by the poll if the deployment commits no more", async () => {
    const ports = fakePorts({ workloads: [waiting({ inFlight: committed })] });
    for (const times of [1, 2])
      expect((await rollBack(ports, { ...common, verdict: "disabled", reason: `${times}` })).kind).toBe("refused");
    const { rollout, ...kept } = ports.cluster.get();
    expect(kept.inFlight).toEqual(committed);
    ports.cluster.put({ ...kept, image: target, source: target, rollout });
    expect((await adoptUpdate(ports, common)).kind).toBe("adopted");
    expect(ports.cluster.get().inFlight?.git?.syncedAt).toEqual(ports.now());
  });
});

describe("a rollback", () => {
  const failed = workload({
    policy,
    image: target,
    source: target,
    rollout: { ...completeRollout, readyReplicas: 0 },
    inFlight: { ...inFlight, isApplied: true, git: { ...git, commit: "abc123", syncedAt: noon } },
  });
  const input = { ...common, verdict: "expired", reason: "not ready after 600 s" };

  test("is a commit, and the workload is not patched", async () => {
    const config = branch(line("app", target));
    const ports = around([failed], config);
    const result = await rollBack(ports, input);
    expect(result.kind).toBe("sync");
    expectSelectable("RollBack", result);
    expect(ports.cluster.get()).toMatchObject({ image: target, inFlight: { phase: "rollback", isApplied: false } });
    expect((await rollBack(ports, input)).kind).toBe("sync");
    expect((await syncUpdate(ports, step)).kind).toBe("progressing");
    expect(config.commits).toMatchObject([{ headline: "Restore shop/app to 1.0.0" }]);
    const { rollout, ...reconciled } = ports.cluster.get();
    ports.cluster.put({ ...reconciled, image, rollout: rollout && { ...rollout, image } });
    const restored = await syncUpdate(ports, step);
    expect(restored.kind).toBe("restored");
    expectSelectable("SyncUpdate", restored);
    expect(ports.cluster.get().inFlight).toMatchObject({ isApplied: true, revertedAt: ports.now() });
    expect((await syncUpdate(ports, step)).kind).toBe("restored");
  });

  test.for([
    { when: "an abort", parts: { verdict: "abort" as const } },
    { when: "an opt-out", parts: { policy: { ...policy, optIn: "no" as const } } },
  ])("of a commit that the workload does not have yet survives that $when is repeated", async ({ parts }) => {
    const config = branch(line("app", target));
    const ports = around([waiting({ ...parts, inFlight: { ...pending, git: { ...git, commit: "abc123" } } })], config);
    const { kind: verdict, reason } = await syncUpdate(ports, step);
    for (let times = 0; times < 3; times += 1)
      expect((await rollBack(ports, { ...common, verdict, reason })).kind).toBe("sync");
    expect((await syncUpdate(ports, step)).kind).toBe("progressing");
    expect(config.commits).toMatchObject([{ headline: "Restore shop/app to 1.0.0" }]);
    expect((await syncUpdate(ports, step)).kind).toBe("restored");
  });

  test("ends without a loop if the deployment commits no more", async () => {
    for (const initial of [waiting(), { ...failed, inFlight: rolling }]) {
      const ports = fakePorts({ workloads: [initial] });
      const result = await rollBack(ports, { ...input, verdict: "disabled" });
      expect(result.kind).toBe("refused");
      expect(ports.cluster.get().image).toBe(initial.image);
    }
  });

  const rolling = { ...toRollback(failed.inFlight as InFlight, false, noon), git } as InFlight;
  test.for([
    { when: "the files have a person's image", text: line("app", image.replace("1.0.0", "1.2.0")), git: "config" },
    { when: "the files do not name it any more", text: "a: b\n", git: "config" },
    { when: "the branch is protected", text: line("app", target), error: new GitRefused("protected"), git: "config" },
    { when: "the deployment has the repository no more", text: line("app", target), git: "other" },
  ])("waits, and writes nothing, if $when", async ({ text, error, git: name }) => {
    const { repository } = branch(text);
    const answers = { ...repository, name, commit: () => Promise.reject(error ?? new Error("no commit is expected")) };
    const ports = fakePorts({ workloads: [{ ...failed, inFlight: rolling }], git: [answers] });
    expect((await syncUpdate(ports, step)).kind).toBe("progressing");
    expect(ports.cluster.get().inFlight?.phase).toBe("rollback");
  });
});

test("where signatures are enforced, an execution writes only what it has verified itself", async () => {
  const pinned = { ...pending, target: { ...pending.target, digest, pinned: true as const } };
  const config = branch([line("app", image), line("b", image)].join("---\n"));
  const base = around([waiting({ inFlight: pinned }), named("b")], config);
  const scopes = [{ repositories: ["registry.example/shop"], namespaces: null, mode: "enforce" }] as const;
  const ports = { ...base, verifier: { ...base.verifier, scopes } };
  const verification = { kind: "verified", digest, reason: "" } as const;
  const own = { ...step, target: pinned.target };
  expect((await syncUpdate(ports, { ...own, verification })).kind).toBe("progressing");
  expect(config.commits[0]?.headline).toBe("Update shop/app to 1.1.0");
  expect(config.commits[0]?.files.get("web.yaml")).toContain(`${target}@${digest}`);
  const refused = { kind: "unverified", digest: null, reason: "no signature" } as const;
  const again = { ...around([waiting()], config), verifier: ports.verifier };
  expect((await syncUpdate(again, { ...step, verification: refused })).kind).toBe("abort");
});
