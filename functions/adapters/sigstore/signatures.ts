import type { Signatures } from "../../ports/signatures.ts";
import { simpleSigningReason } from "./simple-signing.ts";
import { verifyEnvelope } from "./verify-bundle.ts";

/** Verifies signatures of cosign and of other clients of Sigstore. */
export const signatures: Signatures = { verifyEnvelope, simpleSigningReason };
