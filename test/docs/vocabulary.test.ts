import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runPawl } from "../cli/run-pawl.ts";
import { documents, root } from "./document.ts";

/** Words that no engineer could search for, with the standard term. In any case, also across the end of a line. */
const denied: readonly (readonly [pattern: RegExp, use: string])[] = [
  [/\banew\b/, "again, recreated"],
  [/\bwhoever\b/, "a role, a person, a caller"],
  [
    /\b(is|are|was|were|be) told\b|\btold of\b|\btells? of\b|\btold (once|twice|again|also)\b/,
    "reported, emitted, notified",
  ],
  [/\bmend(s|ed|ing)?\b/, "fix"],
  [/\bso many (in a hundred|replicas|nodes)\b/, "a number, a percentage"],
  [/\btak(es?|ing|en) back\b|\btakes? it back\b/, "roll back, revert"],
  [/\btak(es?|ing|en) away\b/, "remove"],
  [/\bhand(s|ed)?[- ]?(on|over)\b|\bHand(ed)?Over/, "defer, continue in a new execution"],
  [/\bgravest\b/, "highest-severity"],
  [/\bof its own accord\b/, "automatically"],
  [/\bgoes on\b/, "continues"],
  [/\b(let|lets|letting) go of\b/, "release"],
  [/\bby hand\b|\bperson's hand\b|\bhand of yours\b/, "manually, manual change"],
  [/\bmid-flight\b/, "during an update"],
  [/\bat rest\b/, "idle"],
  [/\bwhat is to be\b/, "the desired …"],
  [/\bleft alone\b|\bleaves? alone\b/, "not managed, skipped"],
  [/\bfollow(s|ed)? by (its )?digest\b|\bcontainer is followed\b/, "tracked by digest"],
  [
    /\b(stands?|stood) (behind|in an?|on the (workload|node|pool))\b|\bbehind (a|the|its|every|each|that) tags?\b/,
    "is stored in; the digest a tag resolves to",
  ],
  [/\bcomes next\b/, "next update: …"],
  [/\b(one|each|every|next) look\b|\b(is|are|was) looked at\b/, "evaluation, poll, check"],
  [/\bcannot be read\b/, "cannot be parsed, is invalid"],
  [/\bswitch(ed)? it on\b|\bswitched (on|off)\b/, "enable, disable"],
  [/\bin a circle\b/, "a dependency cycle"],
  [/\bregistry that lies\b|\blying registr/, "a faulty or malicious registry"],
  [/\bputs? back\b|\bput (it|what ran) back\b/, "restore"],
  [/\bformer(ly)? (digest|image|version|claim|execution|target)\b/, "previous"],
  [/\bgiven up\b|\bgives? up on\b/, "failed, rolled back"],
  [/\bis made of\b/, "created from"],
  [/\b(is|are) gone\b/, "was deleted, no longer exists"],
  [/\bpaused already\b/, "already paused"],
  [/\b(has|have) opted in\b/, "with Pawl enabled"],
  [/\btaken its name\b/, "deleted or recreated"],
  [/\bnothing to follow\b/, "no container is tracked"],
  [/\bevery replica runs it\b/, "all replicas are updated and ready"],
  [/\bshowed before\b/, "a previously deployed digest"],
  [/\bkept at the digest\b/, "tracked by digest"],
  [/\boff until you\b|\bhow do I\b/, "disabled by default; Procedures"],
  [
    /\bpawl\.dev\/(told|image-asked|slot-taken|cordoned-for|command|container)(?![-\w])/,
    "emitted-events, image-requested-at, slot-acquired-at, cordoned-by-pool, agent-command, containers",
  ],
  [
    /\bpawl\.dev\/(slot-node(?!-uid)|(drain-started|reboot-approved)(?!-at)|rollback(?![-\w]))/,
    "…-uid, …-at, rollback-to",
  ],
  [
    /\b(StepNodes|WaitForFormer|ExplainError|RolloutBroken)\b/,
    "ReconcileNodes, WaitForPreviousExecution, RolloutFailed",
  ],
  [/\bwritesAtOnce\b|\bproxy\.except\b/, "writerReservedConcurrency, proxy.noProxy"],
  [/\bdigests\.baseline\b|--digest-baseline\b/, "digests.onFirstSeen, --on-first-digest"],
  [/\bdigests\.pullPolicy\b|\bregistries\.pullSecrets\b/, "digests.imagePullPolicy, registries.usePullSecrets"],
  [/\btagResolutionSeconds\b|\bPAWL_TAG_RESOLUTION_SECONDS\b/, "tagCacheSeconds, PAWL_TAG_CACHE_SECONDS"],
];

/** Joins lines, without the marks of a comment that continues. */
function joinLines(text: string): string {
  return text.replaceAll(/\s*\n\s*(?:(?:\*(?!\/)|\/\/|#|>)\s*)?/g, " ");
}

function findDenied(text: string): readonly string[] {
  const joined = joinLines(text);
  return denied.flatMap(([pattern, use]) =>
    [...joined.matchAll(new RegExp(pattern, "gi"))].map(({ 0: found, index }) => {
      const context = joined.slice(Math.max(0, index - 40), index + found.length + 40);
      return `${found}: … ${context} … (use: ${use})`;
    }),
  );
}

const areas: Readonly<Record<string, readonly string[]>> = {
  "the documents": documents.filter((document) => document !== "CHANGELOG.md"),
  "the state machines": globSync("state-machines/*.yaml", { cwd: root }),
  "what is applied to a cluster": globSync("infra/**/*.yaml", { cwd: root }),
  "the comments, messages and log lines of the code": globSync("{functions,infra,cli}/**/*.{ts,json}", { cwd: root }),
  "the tests and the benchmarks": globSync("{test,bench}/**/*.ts", {
    cwd: root,
    exclude: ["test/docs/vocabulary.test.ts"],
  }),
};

test.for(Object.entries(areas))("no private word is in %s", ([, files]) => {
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) =>
    findDenied(readFileSync(join(root, file), "utf8")).map((one) => `${file}: ${one}`),
  );
  expect(found).toEqual([]);
});

test("no private word is in the help of a command", async () => {
  const { stdout } = await runPawl(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+)(?= )/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(findDenied((await runPawl(["help", name])).stdout)).toEqual([]);
});

test.for([
  "the pods are made anew",
  "its owner is told once",
  "The value cannot be read",
  "the digest behind its tag",
  "takes back what was applied",
  "Mend it, or remove it",
  "the update goes\n    on with the next image",
  " * its owner is told\n * once",
  "Set pawl.dev/container: app",
])("finds the private word in: %s", (text) => {
  expect(findDenied(text)).toHaveLength(1);
});
