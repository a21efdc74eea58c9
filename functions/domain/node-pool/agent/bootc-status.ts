import * as v from "valibot";
import { type ParseError, invalid } from "../../text/parse-error.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { HostImages, ReportedImage } from "./agent-report.ts";

const filled = v.pipe(v.string(), v.nonEmpty());
const label = v.fallback(v.nullable(filled), null);
const flag = v.fallback(v.boolean(), false);

const reported = v.pipe(
  v.object({
    image: v.object({
      image: v.object({ image: filled }),
      imageDigest: filled,
      version: label,
      timestamp: label,
      architecture: label,
    }),
    softRebootCapable: flag,
    incompatible: flag,
  }),
  v.transform(({ image: { image, ...labels }, ...flags }): ReportedImage => ({ ...image, ...labels, ...flags })),
);

/** null for an entry without an image, such as one that rpm-ostree created. */
const entry = v.fallback(v.nullable(reported), null);
const empty = { booted: null, staged: null, rollback: null };
const host = v.object({ status: v.fallback(v.object({ booted: entry, staged: entry, rollback: entry }), empty) });

/**
 * Parses the output of `bootc status --json --format-version=1` (the Host of docs/src/host-v1.schema.json in bootc). A
 * host without a booted image cannot be updated by bootc.
 */
export function parseBootcStatus(
  output: string,
): { readonly kind: "images"; readonly images: HostImages } | ParseError {
  const parsed = v.safeParse(host, parseJson(output));
  if (!parsed.success) return invalid(output.slice(0, 40), "is not output of bootc status");
  const { booted, ...others } = parsed.output.status;
  if (booted === null) return invalid("booted", "is missing: bootc status names no image that the node runs");
  return { kind: "images", images: { booted, ...others } };
}
