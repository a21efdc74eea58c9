import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { Command, Option } from "commander";
import { type ImageReference, parseImageReference } from "../../functions/domain/image/reference.ts";
import { isInScope } from "../../functions/domain/image/repository-pattern.ts";
import type { Authority, Requirement } from "../../functions/domain/signature/authority.ts";
import { parseIdentity } from "../../functions/domain/signature/identity.ts";
import {
  parsePredicateType,
  predicateAliases,
  signaturePredicate,
} from "../../functions/domain/signature/statement.ts";
import { parseJson } from "../../functions/domain/text/parse-json.ts";
import type { FoundSignature, Verification } from "../../functions/domain/signature/verification.ts";
import { connectRegistry } from "../connect/registry.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { addItems, validOrThrow } from "../input/parse.ts";
import { type RegistryOptions, withRegistryOptions } from "../options/registry.ts";
import { printJson, printStdout } from "../output/print.ts";

interface Options extends RegistryOptions {
  readonly key: readonly string[];
  readonly identity?: string;
  readonly issuer?: string;
  readonly trustedRoot?: string;
  readonly transparencyLog: boolean;
  readonly attestation: readonly string[];
  readonly config?: string;
  readonly json?: true;
}

export function createCommand(): Command {
  const command = new Command("verify")
    .description(
      "Verifies who signed an image, and prints the digest and every signature found: cosign's, in both of its formats, wherever " +
        "clients have stored them. The exit code is 0 if it is verified, 1 if not, 3 if a registry cannot tell.",
    )
    .argument("<image>", "an image, such as ghcr.io/team/app:1.4.0 or registry.example.com:5000/team/app@sha256:…")
    .addOption(
      new Option("--key <file>", "public key in PEM that may have signed it; may be repeated")
        .default([], "none")
        .argParser(addItems),
    )
    .option(
      "--identity <id>",
      "identity of the certificate: all of it, or an expression that begins with ^ and ends with $",
    )
    .option("--issuer <url>", "OIDC provider of the certificate")
    .option("--trusted-root <file>", "trusted_root.json with the certificate authorities and transparency logs")
    .option("--no-transparency-log", "accept a signature by a key that is in no transparency log")
    .addOption(
      new Option(
        "--attestation <type>",
        `predicate that must be attested instead of a signature: a URL, or one of ${predicateAliases.join(", ")}; may be repeated`,
      )
        .default([], "none")
        .argParser(addItems),
    )
    .option(
      "-c, --config <file>",
      "a pawl.json: the rules for the repository, in any namespace, instead of these options",
    )
    .option("--json", "print one JSON document");
  return withRegistryOptions(command)
    .addHelpText(
      "after",
      "\nExamples:\n  pawl verify ghcr.io/team/app:1.4.0 --key cosign.pub --no-transparency-log\n" +
        "  pawl verify ghcr.io/team/app:1.4.0 --trusted-root trusted_root.json --issuer https://token.actions.githubusercontent.com " +
        "--identity https://github.com/team/app/.github/workflows/release.yml@refs/heads/main",
    )
    .action(verify);
}

async function verify(text: string, options: Options): Promise<void> {
  const image = validOrThrow("image", parseImageReference(text));
  const requirements = await readRequirements(options, image);
  const artifacts = await connectRegistry(options);
  const { signatures } = await import("../../functions/adapters/sigstore/signatures.ts");
  const { verifyImage } = await import("../../functions/workflows/verify-image/verify-image.ts");
  const verification = await verifyImage({ artifacts, signatures }, image, requirements, { isComplete: true });
  if (options.json) printJson(verification);
  else print(verification);
  // Nobody has asked ECR for its word.
  const isOpen = requirements.some(({ any }) => any.some(({ kind }) => kind === "ecr"));
  if (verification.kind === "unverified") process.exitCode = isOpen ? exitCodes.unreachable : exitCodes.noMatch;
}

function print({ kind, digest, reason, checked, signatures }: Verification): void {
  const lines = [`${digest}  ${kind}: ${reason}`, ...signatures.map(describe), `checked ${checked.join(", ")}`];
  printStdout(`${lines.join("\n")}\n`);
}

function describe({ place, format, predicateType, authority, reason }: FoundSignature): string {
  const what = predicateType === null ? "signature" : `attestation ${predicateType}`;
  return `- ${place}: ${what}, ${format}: ${reason === null ? `valid by ${authority}` : reason}`;
}

async function readRequirements(options: Options, image: ImageReference): Promise<readonly Requirement[]> {
  if (options.config !== undefined) return readRules(options.config, image, options);
  const any = await readAuthorities(options);
  if (options.attestation.length === 0) return [{ predicateType: signaturePredicate, any, builder: null }];
  return options.attestation.map((type) => ({ predicateType: readPredicateType(type), any, builder: null }));
}

/** Returns what the rules of a configuration require of an image, whatever their mode. */
async function readRules(file: string, image: ImageReference, own: Options): Promise<readonly Requirement[]> {
  if (own.key.length > 0 || own.attestation.length > 0 || own.identity !== undefined || own.issuer !== undefined)
    throw new InvalidInput("--config has rules of its own; leave out --key, --identity, --issuer and --attestation");
  const { readConfig } = await import("../../infra/config/read-config.ts");
  const { compileRules, scopesOf } = await import("../../infra/config/compile-verify.ts");
  const reading = readConfig(file, { allowsPlaceholders: true });
  if (reading.kind === "invalid") throw new InvalidInput(`--config ${file}: ${reading.problems.join("; ")}`);
  const { verify: all } = reading.config;
  const isOfImage = scopesOf(all).map(({ repositories }) => isInScope(repositories, image));
  const rules = all.filter((_, index) => isOfImage[index]);
  if (rules.length === 0) throw new InvalidInput(`--config ${file}: no rule of verify is for this repository`);
  try {
    return compileRules(rules).flatMap(({ requirements }) => requirements);
  } catch (error) {
    throw new InvalidInput(`--config ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readPredicateType(type: string): string {
  const known = parsePredicateType(type);
  if (known !== null) return known;
  const names = predicateAliases.join(", ");
  throw new InvalidInput(`--attestation: "${type}" is no predicate type; use a URL or one of ${names}`);
}

async function readAuthorities({
  key,
  identity,
  issuer,
  transparencyLog,
  ...rest
}: Options): Promise<readonly Authority[]> {
  const trustedRoot = rest.trustedRoot === undefined ? null : await readRoot(rest.trustedRoot);
  const keys = await Promise.all(key.map((file) => readKey(file, transparencyLog, trustedRoot)));
  if (identity === undefined && issuer === undefined) {
    if (keys.length === 0) throw new InvalidInput("name who may have signed it: --key, or --identity and --issuer");
    return keys;
  }
  if (identity === undefined || issuer === undefined)
    throw new InvalidInput(
      "--identity and --issuer belong together: anybody can sign with another identity of the same issuer",
    );
  if (trustedRoot === null)
    throw new InvalidInput(
      "--trusted-root is missing; `cosign trusted-root create`, or `gh attestation trusted-root`, writes one",
    );
  const parsed = validOrThrow("--identity", parseIdentity(identity));
  return [...keys, { kind: "keyless", identity: parsed.identity, issuer, trustedRoot }];
}

async function readKey(file: string, transparencyLog: boolean, trustedRoot: unknown): Promise<Authority> {
  const { parsePublicKey } = await import("../../functions/adapters/sigstore/public-key.ts");
  const publicKey = await readText("--key", file);
  const parsed = parsePublicKey(publicKey);
  if (parsed.kind === "invalid") throw new InvalidInput(`--key: ${file} ${parsed.reason}`);
  if (transparencyLog && trustedRoot === null)
    throw new InvalidInput(
      "--key: name the logs by --trusted-root, or accept signatures that are in none by --no-transparency-log",
    );
  return {
    kind: "key",
    name: basename(file),
    publicKey,
    transparencyLog: transparencyLog ? "required" : "optional",
    trustedRoot,
  };
}

async function readRoot(file: string): Promise<unknown> {
  const { trustedRootReason } = await import("../../functions/adapters/sigstore/trusted-root.ts");
  const json = parseJson(await readText("--trusted-root", file));
  const reason = trustedRootReason(json);
  if (reason !== null) throw new InvalidInput(`--trusted-root: ${file} ${reason}`);
  return json;
}

async function readText(option: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw new InvalidInput(`${option}: cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  });
}
