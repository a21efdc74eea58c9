import { createOciRegistry } from "../../functions/adapters/oci-registry/registry.ts";
import { signatures } from "../../functions/adapters/sigstore/signatures.ts";
import type { Authority } from "../../functions/domain/signature/authority.ts";
import { signaturePredicate } from "../../functions/domain/signature/statement.ts";
import { verifyImage } from "../../functions/workflows/verify-image/verify-image.ts";
import { startArtifactRegistry } from "../../test/support/signatures/artifact-registry.ts";
import { createAuthority, createKeyPair, createKeySigner } from "../../test/support/signatures/signer.ts";

// Measures what the verification of an image adds to the start of an update: the requests of a verification, sent by a loop that verifies nothing,
// and the same verified. The registry answers on loopback, so that what differs is what the code takes.

const runs = Number(process.argv[2] ?? 50);
const identity = "https://github.com/shop/web/.github/workflows/release.yml@refs/heads/main";
const issuer = "https://token.actions.githubusercontent.com";
const keys = createKeyPair();
const authority = await createAuthority();
const { trustedRoot, log } = authority;
const key = { kind: "key", name: "release.pub", publicKey: keys.pem } as const;
const withoutLog: Authority = { ...key, transparencyLog: "optional", trustedRoot: null };

const cases = [
  { what: "simple signing, key", at: ".sig", format: "simpleSigning", signer: createKeySigner(keys), by: withoutLog },
  { what: "bundle, key", at: "referrers", format: "bundle", signer: createKeySigner(keys), by: withoutLog },
  {
    what: "bundle, key in a log",
    at: "referrers",
    format: "bundle",
    signer: createKeySigner(keys, log),
    by: { ...key, transparencyLog: "required", trustedRoot },
  },
  {
    what: "bundle, certificate in a log",
    at: "referrers",
    format: "bundle",
    signer: authority.createSigner(identity, issuer),
    by: { kind: "keyless", identity, issuer, trustedRoot },
  },
] as const;

console.log("| signature | requests | loop | verified | added | first |\n| --- | ---: | ---: | ---: | ---: | ---: |");
for (const { what, at, format, signer, by } of cases) {
  await using registry = await startArtifactRegistry();
  registry.attach(at, await signer[format](registry.digest));
  const artifacts = createOciRegistry({
    credentials: async () => null,
    insecureHosts: [registry.host],
    now: () => new Date(),
  });
  const image = { registry: registry.host, repository: "team/app", tag: "1.0.0", digest: null };
  const requirements = [{ predicateType: signaturePredicate, any: [by], builder: null }];
  const verify = async () => {
    const { kind, reason } = await verifyImage({ artifacts, signatures }, image, requirements);
    if (kind !== "verified") throw new Error(`${what}: ${reason}`);
  };
  const first = await time(verify);
  const paths = registry.requests.map(({ path }) => path);
  const loop = await least(async () => {
    for (const path of paths) await (await fetch(`http://${registry.host}${path}`)).arrayBuffer();
  });
  const verified = await least(verify);
  const cells = [what, paths.length, ms(loop), (verified / loop).toFixed(2), ms(verified - loop), ms(first)];
  console.log(`| ${cells.join(" | ")} |`);
}

/** Other processes of the machine only add to it. */
async function least(work: () => Promise<void>): Promise<number> {
  let found = Infinity;
  for (let run = 0; run < runs; run += 1) found = Math.min(found, await time(work));
  return found;
}

async function time(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`;
}
