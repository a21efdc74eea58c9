import type { Candidate } from "../../functions/domain/gates/candidate.ts";
import { tagOf } from "../../functions/domain/image/reference.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { InvalidInput } from "../exit-codes.ts";

/** Parses `VERSION[@DIGEST]`. Takes the digest that waits for a gate, unless one is given. Throws `InvalidInput` if none is known. */
export function parseVersionAndDigest(
  written: string,
  { candidates = [] }: Pick<Workload, "candidates">,
): { readonly version: string; readonly digest: string } {
  const [version = "", digest] = written.split("@");
  const isNamed = ({ version: name }: Candidate) => (name.includes(":") ? tagOf(name) : name) === version;
  const known = digest ?? candidates.find(isNamed)?.digest;
  if (known !== undefined && version !== "" && known !== "") return { version, digest: known };
  throw new InvalidInput(
    `${written}: its digest is not known, because it does not wait for a gate; use VERSION@DIGEST`,
  );
}
