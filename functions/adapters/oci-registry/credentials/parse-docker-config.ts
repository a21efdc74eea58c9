import { trimEnd } from "../../../domain/text/trim-end.ts";
import { normalizeRegistry } from "../../../domain/image/reference.ts";
import { parseRepositoryPattern, type RepositoryPattern } from "../../../domain/image/repository-pattern.ts";
import type { Credentials } from "./credentials.ts";

export class DockerConfigInvalid extends Error {
  override readonly name = "DockerConfigInvalid";
}

export interface Entry {
  /** `host[:port][/path]`, as in image references. A part of a label may be `*`, as the kubelet allows it. */
  readonly key: string;
  readonly pattern: RepositoryPattern;
  readonly credentials: Credentials | null;
}

export interface DockerConfig {
  readonly entries: readonly Entry[];
  /** Credential helpers by host. */
  readonly helpers: ReadonlyMap<string, string>;
  readonly store: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses a config.json, or the older .dockercfg, which consists of the entries of `auths`. Throws `DockerConfigInvalid`, which
 * names the invalid entry and never its value.
 */
export function parseDockerConfig(text: string, source: string): DockerConfig {
  const root = parseFields(parseJson(text, source), source);
  const auths = parseFields(root["auths"] ?? {}, `${source}: auths`);
  const helpers = parseFields(root["credHelpers"] ?? {}, `${source}: credHelpers`);
  return {
    entries:
      "auths" in root
        ? Object.entries(auths).map((entry) => parseEntry(entry, `${source}: auths`))
        : Object.entries(root)
            .filter(([key]) => isHost(key))
            .map((entry) => parseEntry(entry, `${source}: `)),
    helpers: new Map(
      Object.entries(helpers).map(([key, helper]) => [
        normalizeKey(key),
        parseText(helper, `${source}: credHelpers["${key}"]`),
      ]),
    ),
    store: parseText(root["credsStore"], `${source}: credsStore`) || null,
  };
}

/** Distinguishes hosts from the settings of a config.json, none of which looks like a host. */
function isHost(key: string): boolean {
  return key === "localhost" || /[.:/]/.test(key);
}

function parseEntry([key, entry]: readonly [string, unknown], within: string): Entry {
  const path = `${within}["${key}"]`;
  const normalized = normalizeKey(key);
  const pattern = parseRepositoryPattern(normalized);
  return { key: normalized, pattern, credentials: parseCredentials(parseFields(entry, path), path) };
}

function parseCredentials(entry: Fields, path: string): Credentials | null {
  const token = parseText(entry["identitytoken"], `${path}.identitytoken`);
  if (token !== "") return { kind: "identity-token", token };
  const auth = parseText(entry["auth"], `${path}.auth`);
  if (auth !== "") return decodeAuth(auth, `${path}.auth`);
  const username = parseText(entry["username"], `${path}.username`);
  const password = parseText(entry["password"], `${path}.password`);
  return username === "" ? null : { kind: "password", username, password };
}

function decodeAuth(auth: string, path: string): Credentials {
  const decoded = trimEnd(Buffer.from(auth, "base64").toString("utf8"), "\0");
  const colon = decoded.indexOf(":");
  if (colon < 1 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(auth)) {
    throw new DockerConfigInvalid(`${path} is not the base64 of user:password.`);
  }
  return { kind: "password", username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Normalizes a key: Docker sometimes writes URLs, and has several names for Docker Hub. */
function normalizeKey(key: string): string {
  const name = trimEnd(key.replace(/^https?:\/\//, ""), "/").replace(/\/v[12]$/, "");
  const [host = "", ...path] = name.split("/");
  return [normalizeRegistry(host), ...path].join("/");
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of JSON.parse quotes the file, which contains logins.
    const position = /\(line \d+ column \d+\)/.exec(String(error))?.[0] ?? "";
    throw new DockerConfigInvalid(`${source} is not JSON ${position}`.trim() + ".");
  }
}

function parseFields(value: unknown, path: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new DockerConfigInvalid(`${path} is not an object.`);
}

function parseText(value: unknown, path: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw new DockerConfigInvalid(`${path} is not a string.`);
}
