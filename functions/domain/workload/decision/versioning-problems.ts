import { tagOf } from "../../image/reference.ts";
import { parseConstraint } from "../../version/constraint.ts";
import { parseTag } from "../../version/parse-tag.ts";
import { runningImage } from "../record/current-version.ts";
import { fieldProblem, type Problem } from "../policy/problem.ts";
import type { Workload } from "../workload.ts";

/** Returns what contradicts how tags are read. */
export function versioningProblems(workload: Workload): readonly Problem[] {
  const { policy, rawPolicy } = workload;
  if (policy.versioning !== "semver" || policy.variant === null) return constraintProblems(workload);
  const field = rawPolicy["variant"]?.place ?? "pawl.dev/variant";
  return [fieldProblem(field, "InvalidValue", "a tag of versioning semver has no variant; remove one of them")];
}

/**
 * Returns the problem of a constraint with a pre-release such as `-0` whose owner may mean variants, which `-0` once admitted: the running
 * tag has one, and nothing says how tags are read.
 */
function constraintProblems(workload: Workload): readonly Problem[] {
  const { policy, rawPolicy } = workload;
  const running = parseTag(tagOf(runningImage(workload) ?? ""), "container");
  if (policy.versioning !== null || running === null || running.variant === "") return [];
  const constraint = parseConstraint(policy.versionConstraint, "container");
  if (constraint.kind === "invalid") return [];
  const prereleases = constraint.groups.flat().map(({ base }) => base.prerelease[0]);
  if (!prereleases.some((first) => first === 0 || first === running.variant.match(/^[a-z]+/i)?.[0])) return [];
  const field = rawPolicy["versionConstraint"]?.place ?? "pawl.dev/version-constraint";
  const { original, variant } = running;
  return [
    fieldProblem(
      field,
      "InvalidValue",
      `it names a pre-release, and the running tag ${original} has the variant ${variant}, which is none; ` +
        `set pawl.dev/versioning to container to keep the variant, so that only pre-releases such as -rc.1 are admitted, ` +
        `or to semver to order the whole tag, so that every variant is admitted`,
      String(policy.versionConstraint),
    ),
  ];
}
