import { type Invalid, invalid } from "../../invalid.ts";
import type { HostImages, ReportedImage } from "../report.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads what `bootc status --json --format-version=1` prints (the Host of docs/src/host-v1.schema.json in bootc). A host that
 * runs no image of its own is none that bootc could update.
 */
export function parseBootcStatus(output: string): { readonly kind: "images"; readonly images: HostImages } | Invalid {
  const host = jsonOf(output);
  if (host === null) return invalid(output.slice(0, 40), "is not what bootc status prints");
  const status = objectOf(host["status"]);
  const booted = imageOf(status["booted"]);
  if (booted === null) return invalid("booted", "is missing: bootc status names no image that the node runs");
  const images = { booted, staged: imageOf(status["staged"]), rollback: imageOf(status["rollback"]) };
  return { kind: "images", images };
}

function jsonOf(text: string): Json | null {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** null for an entry without an image, such as one that rpm-ostree has put together. */
function imageOf(value: unknown): ReportedImage | null {
  const entry = objectOf(value);
  const image = objectOf(entry["image"]);
  const reference = textOf(objectOf(image["image"])["image"]);
  const imageDigest = textOf(image["imageDigest"]);
  if (reference === null || imageDigest === null) return null;
  return {
    image: reference,
    imageDigest,
    version: textOf(image["version"]),
    timestamp: textOf(image["timestamp"]),
    architecture: textOf(image["architecture"]),
    softRebootCapable: entry["softRebootCapable"] === true,
    incompatible: entry["incompatible"] === true,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
