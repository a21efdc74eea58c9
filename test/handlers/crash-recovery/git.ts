import fc from "fast-check";
import { claimIdOf } from "../../../functions/domain/git/commit-message.ts";
import type { InFlight } from "../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { GitRepository } from "../../../functions/ports/git-repository.ts";
import { type AtMoment, guarded } from "../../support/fake-cluster.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { createMemoryGit } from "../../support/git/memory-git.ts";
import { completeRollout, image, inFlight, noon, target, workload } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import type { Scenario, ScenarioGroup } from "./scenario.ts";

const path = "apps/web.yaml";

function manifest(uid: string, of: string): string {
  return `image: ${of} # {"$imagepolicy": "shop:deployment-${uid}"}\n`;
}

/** A branch in memory, whose commits are counted by their headlines. */
function createBranch(workloads: readonly Workload[], atMoment: AtMoment) {
  const headlines: string[] = [];
  const messages: string[] = [];
  let text = workloads.map(({ ref }) => manifest(ref.name, image)).join("---\n");
  const repository: GitRepository = {
    name: "config",
    mode: "commit",
    readHead: () =>
      guarded(atMoment, "readHead", () => ({
        commit: `c-${headlines.length}`,
        files: new Map([[path, text]]),
        skipped: new Map(),
      })),
    readLog: () => guarded(atMoment, "readLog", () => messages.map((message) => ({ commit: "c", message }))),
    commit: ({ expectedHead, files, headline, body }) =>
      guarded(atMoment, "commit", () => {
        if (expectedHead !== `c-${headlines.length}`) return { kind: "moved" } as const;
        write(files.get(path) ?? text, headline);
        messages.push(body);
        return {
          kind: "committed",
          commit: `c-${headlines.length}`,
          url: `https://git/c-${headlines.length}`,
        } as const;
      }),
    propose: () => Promise.reject(new Error("not in this mode")),
    listProposals: async () => [],
    readProposal: async () => null,
    closeProposal: async () => undefined,
    mergeProposal: async () => null,
  };
  function write(after: string, headline: string): void {
    text = after;
    headlines.push(headline);
  }
  return { repository, headlines, write, text: () => text };
}

/** A repository in memory with pull requests, on all of which a person acts as soon as they are open. */
function createProposals(workloads: readonly Workload[], atMoment: AtMoment, { person, newer }: Options) {
  let text = workloads.map(({ ref }) => manifest(ref.name, image)).join("---\n");
  const { git, host } = createMemoryGit({ files: { [path]: text }, mode: "pullRequest" });
  const headlines: string[] = [];
  const repository: GitRepository = {
    ...git,
    name: "config",
    readHead: () => guarded(atMoment, "readHead", () => git.readHead()),
    listProposals: () => guarded(atMoment, "listProposals", () => git.listProposals()),
    readProposal: (...args) => guarded(atMoment, "readProposal", () => git.readProposal(...args)),
    closeProposal: (...args) => guarded(atMoment, "closeProposal", () => git.closeProposal(...args)),
    mergeProposal: (url) => guarded(atMoment, "mergeProposal", () => git.mergeProposal(url)),
    propose: (change) => guarded(atMoment, "propose", () => git.propose(change)),
  };
  async function act(): Promise<void> {
    const found = (await git.listProposals()).toReversed();
    for (const { number, state, body } of found)
      if (state === "open" && (newer !== "open" || body.includes("1.2.0")))
        await (person === "closes" ? host.close(number) : host.merge(number));
    text = (await host.read(path)) ?? "";
    headlines.splice(0, Infinity, ...found.map(({ body, state }) => `${body.split("\n")[0]} ${state}`));
  }
  return { repository, headlines, act, git, host, text: () => text };
}

/** Opens the pull request of an update that sleeps by now. */
async function openParked({ git }: ReturnType<typeof createProposals>, parked: Workload): Promise<void> {
  const { commit } = await git.readHead();
  const files = new Map([[path, manifest(parked.ref.name, target)]]);
  const body = `Deployment shop/app: 1.0.0 -> 1.1.0\nClaim: ${claimIdOf(parked.ref.uid, noon)}\n`;
  await git.propose({ expectedHead: commit, files, headline: "1.1.0", body, branch: "pawl/one" });
}

interface Branch {
  readonly repository: GitRepository;
  readonly headlines: readonly string[];
  text(): string;
}

/** Brings what the branch says to the workloads, like Argo CD and Flux. */
function reconcile({ cluster }: FakePorts, branch: Branch, broken: ReadonlySet<string>): void {
  const lines = branch.text().split("\n");
  for (const found of cluster.all()) {
    const wanted = lines.find((line) => line.includes(`"shop:deployment-${found.ref.name}"`))?.split(" ")[1];
    const { rollout } = found;
    if (wanted === undefined || rollout === null || found.image === wanted) continue;
    const generation = rollout.generation + 1;
    const readyReplicas = broken.has(wanted) ? 0 : rollout.desiredReplicas;
    const after = { ...rollout, image: wanted, readyReplicas, generation, observedGeneration: generation };
    cluster.put({ ...found, image: wanted, source: wanted, rollout: after });
  }
}

interface Options {
  readonly names: readonly string[];
  readonly broken: readonly string[];
  /** What a person does: reverts the image in the files at once, whether its commit is recorded or not; the others once it is, and nothing brings it to the workload. */
  readonly person?: "reverts" | "aborts" | "opts out" | "closes";
  readonly mode?: GitRepository["mode"];
  /** The pull request of an update that sleeps, as a newer version appears. */
  readonly newer?: "open" | "merged";
}

async function run(options: Options, atMoment: AtMoment) {
  const { names, broken, person, mode = "commit", newer } = options;
  const policy = { writeTo: "config", healthTimeoutSeconds: 60 };
  const workloads = names.map((name) =>
    workload({
      policy,
      ref: { ...workload().ref, name, uid: `u-${name}` },
      rollout: { ...completeRollout, image },
      ...(newer === undefined ? {} : { inFlight: asleep }),
    }),
  );
  const commits = createBranch(workloads, atMoment);
  const proposals = createProposals(workloads, atMoment, options);
  const branch = mode === "commit" ? commits : proposals;
  const isBroken = new Set(broken);
  const base = fakePorts({
    workloads,
    tags: { "shop/app": ["1.0.0", "1.1.0", ...(newer === undefined ? [] : ["1.2.0"])] },
    broken: isBroken,
    git: [branch.repository],
    atMoment,
  });
  const ports: FakePorts = {
    ...base,
    pass: (seconds) => {
      base.pass(seconds);
      const committed = base.cluster.all().find((found) => found.inFlight?.git?.commit !== undefined);
      if (mode === "pullRequest") void proposals.act();
      if (person === undefined) reconcile(base, branch, isBroken);
      else if (person === "reverts") revert(commits);
      else if (committed !== undefined && person !== "closes") intervene(base, committed, person);
    },
  };
  if (newer !== undefined) await openParked(proposals, workloads[0] as Workload);
  if (newer === "merged") await proposals.host.merge(1);
  await runUntilComplete(ports);
  if (mode === "pullRequest") await proposals.act();
  return {
    images: base.cluster.all().map((one) => one.image),
    inFlight: base.cluster.all().map((one) => one.inFlight),
    results: base.cluster
      .all()
      .flatMap(({ updateRecord: { versionHistory } }) => versionHistory.map(({ status }) => status)),
    minimum: base.cluster.all().map(({ updateRecord }) => updateRecord.minimumVersion),
    headlines: branch.headlines,
  };
}

function revert(branch: ReturnType<typeof createBranch>): void {
  if (branch.text().includes(target)) branch.write(branch.text().replaceAll(target, image), "a person's revert");
}

function intervene({ cluster }: FakePorts, found: Workload, person: "aborts" | "opts out"): void {
  const change =
    person === "aborts" ? { verdict: "abort" as const } : { policy: { ...found.policy, optIn: "no" as const } };
  cluster.put({ ...found, ...change });
}

const asleep: InFlight = {
  ...inFlight,
  isApplied: false,
  git: { repository: "config", since: noon, url: "https://git.test/pull/1" },
  parked: { reason: "PullRequest", since: noon },
};

const one = ["app"];
const updated = {
  images: [target],
  inFlight: [null],
  results: ["Healthy"],
  minimum: [null],
  headlines: ["Update shop/app to 1.1.0"],
};
const cases: readonly { readonly name: string; readonly options: Options; readonly expected: object }[] = [
  { name: "a healthy version", options: { names: one, broken: [] }, expected: updated },
  {
    name: "a broken version",
    options: { names: one, broken: [target] },
    expected: {
      ...updated,
      images: [image],
      results: ["RolledBack"],
      headlines: ["Update shop/app to 1.1.0", "Restore shop/app to 1.0.0"],
    },
  },
  {
    name: "a version that a person reverts in git",
    options: { names: one, broken: [], person: "reverts" },
    expected: {
      ...updated,
      images: [image],
      results: ["Superseded"],
      minimum: ["1.1.0"],
      headlines: ["Update shop/app to 1.1.0", "a person's revert"],
    },
  },
  ...(
    [
      { person: "aborts", results: ["RolledBack"] },
      { person: "opts out", results: [] },
    ] as const
  ).map(({ person, results }) => ({
    name: `a committed version that a person ${person === "aborts" ? "aborts" : "opts out of"}`,
    options: { names: one, broken: [], person },
    expected: {
      ...updated,
      images: [image],
      results,
      headlines: ["Update shop/app to 1.1.0", "Restore shop/app to 1.0.0"],
    },
  })),
];

const newest = target.replace("1.1.0", "1.2.0");
const proposed = "Deployment shop/app: 1.0.0 -> 1.1.0";
const proposalCases: typeof cases = [
  {
    name: "a pull request of a healthy version",
    options: { names: one, broken: [], mode: "pullRequest" },
    expected: { ...updated, headlines: [`${proposed} merged`] },
  },
  {
    name: "a pull request of a broken version",
    options: { names: one, broken: [target], mode: "pullRequest" },
    expected: {
      ...updated,
      images: [image],
      results: ["RolledBack"],
      headlines: [`${proposed} merged`, "Deployment shop/app: 1.1.0 -> 1.0.0 merged"],
    },
  },
  {
    name: "a pull request that a person closes",
    options: { names: one, broken: [], mode: "pullRequest", person: "closes" },
    expected: {
      ...updated,
      images: [image],
      results: ["Superseded"],
      minimum: ["1.1.0"],
      headlines: [`${proposed} closed`],
    },
  },
  {
    name: "an open pull request that a newer version follows",
    options: { names: one, broken: [], mode: "pullRequest", newer: "open" },
    expected: {
      ...updated,
      images: [newest],
      headlines: [`${proposed} withdrawn`, "Deployment shop/app: 1.0.0 -> 1.2.0 merged"],
    },
  },
  {
    name: "a merged pull request that a newer version follows",
    options: { names: one, broken: [], mode: "pullRequest", newer: "merged" },
    expected: {
      ...updated,
      images: [newest],
      results: ["Healthy", "Healthy"],
      headlines: [`${proposed} merged`, "Deployment shop/app: 1.1.0 -> 1.2.0 merged"],
    },
  },
];

const scenarios = [...cases, ...proposalCases].map(({ name, options, expected }): Scenario => ({
  name,
  run: (atMoment) => run(options, atMoment),
  expected,
}));

export const gitWrites: readonly ScenarioGroup[] = [
  { group: "an image that git names", scenarios, anyScenario: fc.constantFrom(...scenarios), runs: 50 },
];
