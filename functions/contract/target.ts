import * as v from "valibot";
import { openObject, wholeNumber } from "../domain/text/schema.ts";
import type { Target } from "../domain/workload/target/target.ts";
import { nonEmptyString } from "./validate.ts";

const image = { image: nonEmptyString };

/** A target in the input of a function. */
export const targetInput: v.GenericSchema<Target> = v.variant("kind", [
  openObject({
    kind: v.literal("image"),
    ...image,
    digest: v.exactOptional(nonEmptyString),
    manifests: v.exactOptional(v.array(nonEmptyString)),
    pinned: v.exactOptional(v.literal(true)),
  }),
  openObject({ kind: v.literal("digest"), ...image, digest: nonEmptyString }),
  openObject({ kind: v.literal("config"), ...image, digest: nonEmptyString }),
  openObject({ kind: v.literal("restart"), ...image, request: v.string() }),
  openObject({ kind: v.literal("release"), ...image, number: wholeNumber(0, Number.MAX_SAFE_INTEGER) }),
]);
