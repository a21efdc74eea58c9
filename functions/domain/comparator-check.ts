import type { SemVer } from "semver";
import type { Comparator, Operator } from "./comparator.ts";

type Check = (version: SemVer, comparator: Comparator) => boolean;

const checks: Readonly<Record<Operator, Check>> = {
  "=": equal,
  "!=": notEqual,
  ">": greater,
  "<": (version, { base }) => version.compare(base) < 0,
  ">=": (version, { base }) => version.compare(base) >= 0,
  "<=": lessOrEqual,
  "~": tilde,
  "^": caret,
};

/** Whether a version meets one comparator, by the rules of Masterminds/semver 3.4; pre-releases are the group's affair. */
export function meets(version: SemVer, comparator: Comparator): boolean {
  return checks[comparator.operator](version, comparator);
}

/** With a wildcard `=1.2` means `~1.2`. */
function equal(version: SemVer, comparator: Comparator): boolean {
  return comparator.wildcard === "none" ? version.compare(comparator.base) === 0 : tilde(version, comparator);
}

/** `!=1.2` differs from all of 1.2.x, and `!=1.2-rc` from those of 1.2.x that are called `-rc`. `!=*` differs from 0.0.0 alone. */
function notEqual(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (wildcard === "minor") return version.major !== base.major;
  if (wildcard !== "patch") return version.compare(base) !== 0;
  return !sameMinor(version, base) || version.prerelease.join(".") !== base.prerelease.join(".");
}

/** `>11` begins at 12.0.0, and `>11.1` at 11.2.0. */
function greater(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (wildcard === "minor") return version.major > base.major;
  if (wildcard !== "patch") return version.compare(base) > 0;
  return version.major > base.major || (version.major === base.major && version.minor > base.minor);
}

/** `<=11` ends with the last 11.x, and `<=11.1` with the last 11.1.x. */
function lessOrEqual(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (wildcard === "none") return version.compare(base) <= 0;
  if (version.major !== base.major || wildcard === "minor") return version.major <= base.major;
  return version.minor <= base.minor;
}

/** `~1` is 1.x, `~1.2` and `~1.2.3` stay in 1.2.x. `~0.0.0` admits everything, as `*` does. */
function tilde(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (version.compare(base) < 0) return false;
  if (isZero(base) && (wildcard === "none" || wildcard === "major")) return true;
  return wildcard === "minor" ? version.major === base.major : sameMinor(version, base);
}

/** Keeps the first part that is not 0: `^1.2.3` is below 2, `^0.2.3` below 0.3, `^0.0.3` is 0.0.3. `^*` admits 0.0.0 alone. */
function caret(version: SemVer, { base, wildcard }: Comparator): boolean {
  if (version.compare(base) < 0 || version.major !== base.major) return false;
  if (base.major > 0 || wildcard === "minor") return true;
  if (version.minor !== base.minor) return false;
  return base.minor > 0 || wildcard === "patch" || version.patch === base.patch;
}

function sameMinor(a: SemVer, b: SemVer): boolean {
  return a.major === b.major && a.minor === b.minor;
}

function isZero({ major, minor, patch }: SemVer): boolean {
  return major === 0 && minor === 0 && patch === 0;
}
