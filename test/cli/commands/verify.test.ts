import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type ArtifactRegistry, startArtifactRegistry } from "../../support/signatures/artifact-registry.ts";
import { createAuthority, createKeyPair, createKeySigner } from "../../support/signatures/signer.ts";
import { runPawl, spawnPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const identity = "release@shop.example";
const issuer = "https://accounts.example";

let registry: ArtifactRegistry;
let directory: string;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pawl-verify-"));
  registry = await startArtifactRegistry({ tags: ["1.0.0", "unsigned", "altered", "of-another", "attested"] });
  const [ours, theirs, authority] = [createKeyPair(), createKeyPair(), await createAuthority()];
  registry.attach(".sig", await createKeySigner(ours).simpleSigning(registry.digest));
  registry.attach("referrers", await authority.createSigner(identity, issuer).bundle(registry.digest));
  const own = createKeySigner(ours);
  const signed = await own.simpleSigning(registry.digestOf("altered"));
  const altered = Buffer.from(signed.content.toString().replace(`"r"`, `"s"`));
  registry.attach(".sig", { ...signed, content: altered }, registry.digestOf("altered"));
  registry.attach(".sig", await own.simpleSigning(registry.digest), registry.digestOf("of-another"));
  const predicateType = "https://slsa.dev/provenance/v1";
  const attested = registry.digestOf("attested");
  registry.attach("referrers", await own.bundle(attested, { predicateType }), attested);
  await writeFile(file("ours.pub"), ours.pem);
  await writeFile(file("theirs.pub"), theirs.pem);
  await writeFile(file("private.pem"), ours.privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(file("root.json"), JSON.stringify(authority.trustedRoot));
  await writeFile(file("text.txt"), "hello");
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

const verify = (...args: readonly string[]) =>
  spawnPawl(["verify", `${registry.host}/team/app:1.0.0`, "--insecure-registry", registry.host, ...args]);

describe("pawl verify", () => {
  test("prints the digest, each signature and what it checked", async () => {
    const { stdout, status } = await verify("--key", file("ours.pub"), "--no-transparency-log");
    const lines = stdout.split("\n");
    expect(lines[0]).toBe(`${registry.digest}  verified: signed by key ours.pub`);
    expect(lines.slice(1, 3)).toEqual([
      "- referrers: signature, bundle: it is signed by a certificate, not by a key",
      "- sig: signature, simple signing: valid by key ours.pub",
    ]);
    expect(lines[3]).toMatch(/^checked referrers: 1, sha256-\w{12}…: none, sha256-\w{12}…\.sig: 1$/);
    expect(status).toBe(0);
  });

  test("verifies a certificate offline, with a pinned root", async () => {
    const root = ["--trusted-root", file("root.json")];
    const ran = await verify("--identity", identity, "--issuer", issuer, ...root, "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ kind: "verified", digest: registry.digest });
    expect(ran.status).toBe(0);
    const other = await verify("--identity", "thief@shop.example", "--issuer", issuer, ...root);
    expect(other.stdout).toContain(`the identity is ${identity}, not thief@shop.example`);
    expect(other.status).toBe(1);
  });

  test("exits with 1 if another key has signed, and with 3 if the registry cannot tell", async () => {
    const other = await verify("--key", file("theirs.pub"), "--no-transparency-log");
    expect(other.stdout).toMatch(/unverified: no valid signature \(.*signature verification failed/);
    expect(other.status).toBe(1);
    const key = ["--key", file("ours.pub"), "--no-transparency-log"];
    const away = await spawnPawl(["verify", "127.0.0.1:1/team/app:1", "--insecure-registry", "127.0.0.1:1", ...key]);
    expect(away).toMatchObject({ stdout: "", status: 3 });
  });

  test.for([
    { tag: "unsigned", says: "no valid signature (referrers: 0, sha256-" },
    { tag: "altered", says: "signature verification failed" },
    { tag: "of-another", says: "it signs another digest" },
  ])("exits with 1 if the signature is $tag", async ({ tag, says }) => {
    const image = `${registry.host}/team/app:${tag}`;
    const key = ["--key", file("ours.pub"), "--no-transparency-log", "--insecure-registry", registry.host];
    const { status, stdout } = await runPawl(["verify", image, ...key]);
    expect([status, stdout]).toEqual([1, expect.stringContaining(says)]);
  });

  test("exits with 1 if there is no such image", async () => {
    const key = ["--key", file("ours.pub"), "--no-transparency-log", "--insecure-registry", registry.host];
    const ran = await runPawl(["verify", `${registry.host}/team/app:9.9.9`, ...key]);
    expect(ran).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("no such image") });
  });

  test.for([
    { type: "slsaprovenance1", status: 0 },
    { type: "spdxjson", status: 1 },
  ])("exits with $status for the attestation $type", async ({ type, status }) => {
    const key = ["--key", file("ours.pub"), "--no-transparency-log", "--insecure-registry", registry.host];
    const ran = await runPawl(["verify", `${registry.host}/team/app:attested`, ...key, "--attestation", type]);
    expect(ran).toMatchObject({ status });
  });

  test("asks a registry without TLS only with --insecure-registry", async () => {
    const key = ["--key", file("ours.pub"), "--no-transparency-log"];
    const ran = await runPawl(["verify", `${registry.host}/team/app:1.0.0`, ...key]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
  });

  test.for<[readonly string[], string]>([
    [[], "--key, or --identity and --issuer"],
    [["--identity", identity], "belong together"],
    [["--issuer", issuer], "belong together"],
    [["--identity", identity, "--issuer", issuer], "--trusted-root is missing"],
    [["--identity", "shop.*", "--issuer", issuer, "--trusted-root", "root.json"], "not anchored"],
    [["--key", "ours.pub"], "--no-transparency-log"],
    [["--key", "private.pem", "--no-transparency-log"], "is a private key"],
    [["--key", "text.txt", "--no-transparency-log"], "is not a public key"],
    [["--key", "missing.pub", "--no-transparency-log"], "cannot read"],
    [["--key", "ours.pub", "--trusted-root", "text.txt"], "is not a trusted root"],
    [["--key", "ours.pub", "--no-transparency-log", "--attestation", "slsa"], "is no predicate type"],
  ])("%j: %s", async ([args, message]) => {
    const inFolder = args.map((arg) => (/\.(pub|pem|json|txt)$/.test(arg) ? file(arg) : arg));
    const ran = await runPawl(["verify", "r.example/a:1", ...inFolder]);
    expect(ran).toMatchObject({ stdout: "", status: 2 });
    expect(ran.stderr).toContain(message);
    expect(ran.stderr).not.toContain("MIG");
  });
});

describe("with a configuration", () => {
  const config = async (rules: object[]) => {
    const eks = { clusterName: "prod", region: "eu-central-1" };
    await writeFile(file("pawl.json"), JSON.stringify({ clusters: [{ name: "prod", eks }], verify: rules }));
    return ["-c", file("pawl.json"), "--insecure-registry", registry.host];
  };
  const by = (key: string, repository = "team/*") => ({
    repositories: [`${registry.host}/${repository}`],
    any: [{ key: file(key), transparencyLog: "optional" }],
  });

  test("its rules for the repository decide", async () => {
    const image = `${registry.host}/team/app:1.0.0`;
    const signed = await runPawl(["verify", image, ...(await config([by("ours.pub"), by("theirs.pub", "other")]))]);
    expect(signed).toMatchObject({ status: 0, stdout: expect.stringContaining("verified: signed by key ours.pub") });
    expect(await runPawl(["verify", image, ...(await config([by("theirs.pub")]))])).toMatchObject({ status: 1 });
  });

  test.for([
    { signer: "theirs.pub", status: 3 },
    { signer: "ours.pub", status: 0 },
  ])("that accepts the word of ECR or a signature by $signer, exits with $status", async ({ signer, status }) => {
    const profiles = ["arn:aws:signer:eu-west-1:123456789012:/signing-profiles/release"];
    const { repositories, any } = by(signer);
    const rules = [{ repositories, any: [{ ecrSigning: { profiles } }, ...any] }];
    expect(await runPawl(["verify", `${registry.host}/team/app:1.0.0`, ...(await config(rules))])).toMatchObject({
      status,
    });
  });

  test("without a rule for it, and beside a key, is refused", async () => {
    const image = `${registry.host}/team/app:1.0.0`;
    const none = await runPawl(["verify", image, ...(await config([by("ours.pub", "other")]))]);
    expect(none).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("no rule of verify is for this repository"),
    });
    const both = await runPawl(["verify", image, "--key", file("ours.pub"), ...(await config([by("ours.pub")]))]);
    expect(both).toMatchObject({ status: 2, stderr: expect.stringContaining("has rules of its own") });
  });
});
