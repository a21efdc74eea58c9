import { signaturePredicate } from "../../../functions/domain/signature/statement.ts";
import { tagOf } from "../../../functions/domain/image/reference.ts";
import { type ArtifactRegistry, startArtifactRegistry } from "../../support/signatures/artifact-registry.ts";
import { createKeyPair, createKeySigner, type SignedLayer } from "../../support/signatures/signer.ts";

const keys = createKeyPair();
/** Signed once: each run of a scenario has the same digests, and so the same names of calls. */
const signatures = new Map<string, Promise<SignedLayer>>();

export interface SignedImages extends Pick<ArtifactRegistry, "host"> {
  /** The rules: who must have signed `team/app`. */
  readonly rules: string;
  /** null if the image is of another registry. */
  digestOf(image: string): string | null;
  close(): Promise<void>;
}

/** Starts a registry with `team/app:1.0.0`, and `1.1.0`, which a key has signed. */
export async function startSignedImages(): Promise<SignedImages> {
  const registry = await startArtifactRegistry({ tags: ["1.0.0", "1.1.0"] });
  const digest = registry.digestOf("1.1.0");
  const signature = signatures.get(digest) ?? createKeySigner(keys).bundle(digest);
  signatures.set(digest, signature);
  registry.attach("referrers", await signature, digest);
  const key = { kind: "key", name: "release.pub", publicKey: keys.pem, transparencyLog: "optional", trustedRoot: null };
  const requirements = [{ predicateType: signaturePredicate, any: [key], builder: null }];
  const { host } = registry;
  const rule = { repositories: [`${host}/team/app`], namespaces: null, mode: "enforce", requirements };
  return {
    host,
    rules: JSON.stringify([rule]),
    digestOf: (image) => (image.startsWith(`${host}/`) ? registry.digestOf(tagOf(image)) : null),
    close: () => registry[Symbol.asyncDispose]() as Promise<void>,
  };
}
