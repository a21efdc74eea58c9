import fc from "fast-check";

const number = fc.oneof(fc.nat({ max: 4 }), fc.constantFrom(10, 17, 2024, 20_241_016));
const text = (values: readonly string[]) => fc.constantFrom(...values);

const version = fc.array(number, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("."));
const prefix = text(["", "", "", "v", "release-", "noble-", "RELEASE.", "amd64-"]);
const prerelease = text(["", "", "", "-rc.1", "rc2", "-rc10", "-beta", "-M3", "-dev12", "a1", "-alpha.1.2"]);
const variant = text(["", "", "-alpine", "-alpine3.20", "-alpine3.9", "-slim-bookworm", "-debian-12", "-jdk", "-ent"]);
const revision = text(["", "", "", "-r0", "-r10", "-1", "_11", "-h3", "-20241016", "-eksbuild.3", "-ls9"]);

/** A tag of the grammar, with parts that exist; and sometimes none. */
export const anyTag: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.tuple(prefix, version, prerelease, revision, variant, revision).map((all) => all.join("")),
  },
  {
    weight: 1,
    arbitrary: text(["latest", "8e5f1a2", "1.2.3-abc1234", "RELEASE.2024-10-02T17-50-41Z", "8u432-b06-jdk"]),
  },
);
