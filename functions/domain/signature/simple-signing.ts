import * as v from "valibot";

const payload = v.object({
  critical: v.object({
    image: v.object({ "docker-manifest-digest": v.string() }),
    type: v.literal("cosign container image signature"),
  }),
});

/**
 * Returns why a signed payload is not a signature of this digest; null if it is one. `docker-reference` is ignored as cosign does: the
 * digest binds the content, and the same content may be copied to another repository.
 */
export function payloadReason(parsed: unknown, digest: string): string | null {
  const result = v.safeParse(payload, parsed);
  if (!result.success) return "the payload is not a cosign container image signature";
  const signed = result.output.critical.image["docker-manifest-digest"];
  return signed === digest ? null : "it signs another digest";
}
