import type { ImageReference } from "../domain/image/reference.ts";
import type { SigningStatus } from "../domain/signature/managed-signing.ts";

/** Returns what ECR says of its signatures of a digest, or why it says nothing. Throws `Throttled` and `Unreachable`. */
export type ManagedSigning = (image: ImageReference, digest: string) => Promise<readonly SigningStatus[] | string>;
