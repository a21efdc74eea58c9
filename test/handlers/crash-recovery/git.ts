import fc from "fast-check";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import type { GitRepository } from "../../../functions/ports/git-repository.ts";
import { type AtMoment, guarded } from "../../support/fake-cluster.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { completeRollout, image, target, workload } from "../../support/workloads.ts";
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

type Branch = ReturnType<typeof createBranch>;

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
  readonly person?: "reverts" | "aborts" | "opts out";
}

async function run({ names, broken, person }: Options, atMoment: AtMoment) {
  const policy = { writeTo: "config", healthTimeoutSeconds: 60 };
  const workloads = names.map((name) =>
    workload({
      policy,
      ref: { ...workload().ref, name, uid: `u-${name}` },
      rollout: { ...completeRollout, image },
    }),
  );
  const branch = createBranch(workloads, atMoment);
  const isBroken = new Set(broken);
  const base = fakePorts({
    workloads,
    tags: { "shop/app": ["1.0.0", "1.1.0"] },
    broken: isBroken,
    git: [branch.repository],
    atMoment,
  });
  const ports: FakePorts = {
    ...base,
    pass: (seconds) => {
      base.pass(seconds);
      const committed = base.cluster.all().find(({ inFlight }) => inFlight?.git?.commit !== undefined);
      if (person === undefined) reconcile(base, branch, isBroken);
      else if (person === "reverts") revert(branch);
      else if (committed !== undefined) intervene(base, committed, person);
    },
  };
  await runUntilComplete(ports);
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

function revert(branch: Branch): void {
  if (branch.text().includes(target)) branch.write(branch.text().replaceAll(target, image), "a person's revert");
}

function intervene({ cluster }: FakePorts, found: Workload, person: "aborts" | "opts out"): void {
  const change =
    person === "aborts" ? { verdict: "abort" as const } : { policy: { ...found.policy, optIn: "no" as const } };
  cluster.put({ ...found, ...change });
}

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

const scenarios = cases.map(({ name, options, expected }): Scenario => ({
  name,
  run: (atMoment) => run(options, atMoment),
  expected,
}));

export const gitWrites: readonly ScenarioGroup[] = [
  { group: "an image that git names", scenarios, anyScenario: fc.constantFrom(...scenarios), runs: 50 },
];
