import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runPawl } from "../cli/run-pawl.ts";
import { documents, root } from "./document.ts";

/** Words that no engineer could search for, with the standard term. */
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
  [/\bhand(s|ed)? (on|over)\b/, "defer, continue in a new execution"],
  [/\bgravest\b/, "highest-severity"],
  [/\bof its own accord\b/, "automatically"],
  [/\bgoes on (as|alone|with|where|from|at)\b/, "continued as, continues"],
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
];

function findDenied(text: string): readonly string[] {
  const lines = text.split("\n");
  return denied.flatMap(([pattern, use]) =>
    lines.flatMap((line, index) => (pattern.test(line) ? [`line ${index + 1}: ${line.trim()} (use: ${use})`] : [])),
  );
}

const areas: Readonly<Record<string, readonly string[]>> = {
  "the documents": documents.filter((document) => document !== "CHANGELOG.md"),
  "the state machines": globSync("state-machines/*.json", { cwd: root }),
  "what is applied to a cluster": globSync("infra/**/*.yaml", { cwd: root }),
  "the comments, messages and log lines of the code": globSync("{functions,infra,cli}/**/*.{ts,json}", { cwd: root }),
};

test.for(Object.entries(areas))("no private word is in %s", ([, files]) => {
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) =>
    findDenied(readFileSync(join(root, file), "utf8")).map((line) => `${file}: ${line}`),
  );
  expect(found).toEqual([]);
});

test("no private word is in the help of a command", async () => {
  const { stdout } = await runPawl(["--help"]);
  const names = [...stdout.matchAll(/^ {2}([a-z]+)(?= )/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names)
    expect(findDenied((await runPawl(["help", name])).stdout.replaceAll(/\s+/g, " "))).toEqual([]);
});

test.for([
  "the pods are made anew",
  "its owner is told once",
  "The value cannot be read",
  "the digest behind its tag",
  "takes back what was applied",
])("finds the private word in: %s", (text) => {
  expect(findDenied(text)).toHaveLength(1);
});
