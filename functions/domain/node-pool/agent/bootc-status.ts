import { type ParseError, invalid } from "../../text/parse-error.ts";
import type { HostImages, ReportedImage } from "./agent-report.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Parses the output of `bootc status --json --format-version=1` (the Host of docs/src/host-v1.schema.json in bootc). A
 * host without a booted image cannot be updated by bootc.
 */
export function parseBootcStatus(
  output: string,
): { readonly kind: "images"; readonly images: HostImages } | ParseError {
  const host = parseJson(output);
  if (host === null) return invalid(output.slice(0, 40), "is not output of bootc status");
  const status = toObject(host["status"]);
  const booted = parseReportedImage(status["booted"]);
  if (booted === null) return invalid("booted", "is missing: bootc status names no image that the node runs");
  const images = {
    booted,
    staged: parseReportedImage(status["staged"]),
    rollback: parseReportedImage(status["rollback"]),
  };
  return { kind: "images", images };
}

function parseJson(text: string): Json | null {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return null;
  }
}

function toObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Returns null for an entry without an image, such as one that rpm-ostree created. */
function parseReportedImage(value: unknown): ReportedImage | null {
  const entry = toObject(value);
  const image = toObject(entry["image"]);
  const reference = toText(toObject(image["image"])["image"]);
  const imageDigest = toText(image["imageDigest"]);
  if (reference === null || imageDigest === null) return null;
  return {
    image: reference,
    imageDigest,
    version: toText(image["version"]),
    timestamp: toText(image["timestamp"]),
    architecture: toText(image["architecture"]),
    softRebootCapable: entry["softRebootCapable"] === true,
    incompatible: entry["incompatible"] === true,
  };
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
