import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConstraint } from "../../../functions/domain/version/constraint.ts";
import { selectTag } from "../../../functions/domain/version/select-tag.ts";
import { isSoak } from "../../support/property-runs.ts";

/** How an image writes its tags: everything but the version and the build. */
interface Form {
  readonly prefix: string;
  readonly parts: number;
  readonly variant: string;
  readonly build: "none" | "before" | "after" | "named";
}

interface Situation {
  readonly form: Form;
  readonly start: readonly number[];
  /** Each makes the version before it newer: at which part, or -1 for its build, and by how much. */
  readonly steps: readonly { readonly at: number; readonly by: number }[];
  readonly older: number;
  readonly noise: readonly Noise[];
  /** Allows no higher major version than that of this step. */
  readonly cap: number | null;
  readonly failed: number;
}

type Noise = "otherVariant" | "noVariant" | "shorter" | "longer" | "prerelease" | "hash" | "word" | "prefix" | "digits";

interface Version {
  readonly numbers: readonly number[];
  readonly build: number;
}

function write({ prefix, variant, build }: Form, version: Version, more = ""): string {
  const numbers = version.numbers.join(".");
  const suffix = variant === "" ? "" : `-${variant}`;
  if (build === "before") return `${prefix}${numbers}${more}_${version.build}${suffix}`;
  if (build === "after") return `${prefix}${numbers}${more}${suffix || "-x"}-r${version.build}`;
  if (build === "named") return `${prefix}${numbers}${more}${suffix}-eksbuild.${version.build}`;
  return `${prefix}${numbers}${more}${suffix}`;
}

/** Newer by construction: a part grows, and those after it begin again; or the build does. */
function step(form: Form, { numbers, build }: Version, at: number, by: number): Version {
  if (at < 0 && form.build !== "none") return { numbers, build: build + by };
  const part = Math.max(0, at) % form.parts;
  return { numbers: numbers.map((number, i) => (i < part ? number : i === part ? number + by : 0)), build: 0 };
}

function noiseOf(form: Form, kind: Noise, newest: Version): string {
  const above = { numbers: newest.numbers.map((number, i) => (i === 0 ? number + 1 : number)), build: 0 };
  const other = form.variant === "bookworm" ? "bullseye" : "bookworm";
  const texts: Readonly<Record<Noise, () => string>> = {
    otherVariant: () => write({ ...form, variant: other }, above),
    noVariant: () => write({ ...form, variant: form.variant === "" ? "ent" : "", build: "none" }, above),
    shorter: () => write({ ...form, parts: form.parts - 1 }, { ...newest, numbers: newest.numbers.slice(0, -1) }),
    longer: () => write(form, { ...newest, numbers: [...newest.numbers, 7] }),
    prerelease: () => write(form, above, "-rc.1"),
    hash: () => `${above.numbers.join(".")}-ab12cd3`,
    word: () => "latest",
    prefix: () => write({ ...form, prefix: `other-${form.prefix}` }, above),
    digits: () => "9829103",
  };
  return texts[kind]();
}

/** The noise that is a newer version, in another form only. */
const newerElsewhere: ReadonlySet<Noise> = new Set(["otherVariant", "noVariant"]);

const form: fc.Arbitrary<Form> = fc.record({
  prefix: fc.constantFrom("", "", "v", "release-", "noble-"),
  parts: fc.integer({ min: 1, max: 5 }),
  variant: fc.constantFrom("", "alpine", "alpine3.20", "slim-bookworm", "bookworm", "jdk", "debian-12", "ent"),
  build: fc.constantFrom("none", "none", "before", "after", "named"),
});

const situation: fc.Arbitrary<Situation> = fc.record({
  form,
  start: fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 5, maxLength: 5 }),
  steps: fc.array(fc.record({ at: fc.integer({ min: -1, max: 4 }), by: fc.integer({ min: 1, max: 12 }) }), {
    maxLength: 5,
  }),
  older: fc.nat({ max: 3 }),
  noise: fc.array(
    fc.constantFrom("otherVariant", "noVariant", "shorter", "longer", "prerelease", "hash", "word", "prefix", "digits"),
    { maxLength: 5 },
  ),
  cap: fc.option(fc.nat({ max: 4 })),
  failed: fc.nat({ max: 2 }),
});

/** Returns what is chosen, and what is right. */
function decide(given: Situation): { readonly chosen: string; readonly right: string } {
  const { steps, older, failed } = given;
  const shape =
    given.form.variant === "" && given.form.build === "after" ? { ...given.form, variant: "x" } : given.form;
  const noise = given.noise.filter((kind) => kind !== "shorter" || shape.parts > 1);
  const running: Version = { numbers: given.start.slice(0, shape.parts), build: 3 };
  const versions = [running];
  for (const { at, by } of steps) versions.push(step(shape, versions.at(-1) as Version, at, by));
  const newest = versions.at(-1) as Version;
  const capAt = given.cap === null ? null : (versions[Math.min(given.cap, steps.length)] as Version);
  const constraint = capAt === null ? null : `<=${capAt.numbers[0]}`;
  const allowed = versions
    .slice(1)
    .filter(({ numbers }) => capAt === null || (numbers[0] as number) <= (capAt.numbers[0] as number));
  const failedTags = allowed.slice(allowed.length - failed).map((version) => write(shape, version));
  const open = allowed.slice(0, Math.max(0, allowed.length - failed));
  const olderTags = Array.from({ length: older }, (_, index) =>
    write(shape, { numbers: running.numbers.map((number, i) => (i === 0 ? number - 1 : number + index)), build: 50 }),
  );
  const tags = [
    ...versions.map((version) => write(shape, version)),
    ...olderTags,
    ...noise.map((kind) => noiseOf(shape, kind, newest)),
  ];
  const parsed = parseConstraint(constraint, "container");
  if (parsed.kind === "invalid") throw new Error(parsed.reason);
  const current = write(shape, running);
  const candidates = { tags, versioning: "container", constraint: parsed, current, failed: failedTags } as const;
  const selection = selectTag(candidates);
  const best = open.at(-1);
  const isElsewhere = constraint === null && noise.some((kind) => newerElsewhere.has(kind));
  const right =
    best !== undefined
      ? shape.parts === 1 && constraint === null
        ? "major-only"
        : write(shape, best)
      : allowed.length > 0
        ? "newer-failed"
        : isElsewhere
          ? "variant-not-published"
          : "no-newer-version";
  return { chosen: selection.kind === "version" ? selection.tag : selection.kind, right };
}

const situations = isSoak ? 200_000 : 6000;

test(`of ${situations} drawn situations none is decided wrongly`, () => {
  const wrong: string[] = [];
  for (const given of fc.sample(situation, situations)) {
    const { chosen, right } = decide(given);
    if (chosen !== right) wrong.push(`${chosen}, not ${right}: ${JSON.stringify(given)}`);
  }
  expect(wrong.slice(0, 3)).toEqual([]);
});
