import type { Credentials } from "./credentials.ts";

export class DockerConfigInvalid extends Error {
  override readonly name = "DockerConfigInvalid";
}

export interface Entry {
  /** `host[:port][/path]` as image references spell it. */
  readonly key: string;
  readonly credentials: Credentials | null;
}

export interface DockerConfig {
  readonly entries: readonly Entry[];
  /** Host to credential helper. */
  readonly helpers: ReadonlyMap<string, string>;
  readonly store: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a config.json, or the older .dockercfg, which is the content of `auths` alone.
 * Throws `DockerConfigInvalid` naming the entry at fault, and never its value.
 */
export function parseDockerConfig(text: string, source: string): DockerConfig {
  const root = fieldsOf(parse(text, source), source);
  const auths = fieldsOf(root["auths"] ?? {}, `${source}: auths`);
  const helpers = fieldsOf(root["credHelpers"] ?? {}, `${source}: credHelpers`);
  return {
    entries:
      "auths" in root
        ? Object.entries(auths).map((entry) => entryOf(entry, `${source}: auths`))
        : Object.entries(root)
            .filter(([key]) => isHost(key))
            .map((entry) => entryOf(entry, `${source}: `)),
    helpers: new Map(
      Object.entries(helpers).map(([key, helper]) => [
        normalKey(key),
        textOf(helper, `${source}: credHelpers["${key}"]`),
      ]),
    ),
    store: textOf(root["credsStore"], `${source}: credsStore`) || null,
  };
}

/** No setting of a config.json is called like a host. */
function isHost(key: string): boolean {
  return key === "localhost" || /[.:/]/.test(key);
}

function entryOf([key, entry]: readonly [string, unknown], within: string): Entry {
  const path = `${within}["${key}"]`;
  return { key: normalKey(key), credentials: credentialsOf(fieldsOf(entry, path), path) };
}

function credentialsOf(entry: Fields, path: string): Credentials | null {
  const token = textOf(entry["identitytoken"], `${path}.identitytoken`);
  if (token !== "") return { kind: "identity-token", token };
  const auth = textOf(entry["auth"], `${path}.auth`);
  if (auth !== "") return decode(auth, `${path}.auth`);
  const username = textOf(entry["username"], `${path}.username`);
  const password = textOf(entry["password"], `${path}.password`);
  return username === "" ? null : { kind: "password", username, password };
}

function decode(auth: string, path: string): Credentials {
  const decoded = Buffer.from(auth, "base64").toString("utf8").replace(/\0+$/, "");
  const colon = decoded.indexOf(":");
  if (colon < 1 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(auth)) {
    throw new DockerConfigInvalid(`${path} is not the base64 of user:password.`);
  }
  return { kind: "password", username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** Docker writes keys as URLs at times, and knows its Hub by several names. */
function normalKey(key: string): string {
  const bare = key
    .replace(/^https?:\/\//, "")
    .replace(/\/+$/, "")
    .replace(/\/v[12]$/, "");
  const [host = "", ...path] = bare.split("/");
  const isHub = ["docker.io", "index.docker.io", "registry-1.docker.io"].includes(host.toLowerCase());
  return [isHub ? "registry-1.docker.io" : host.toLowerCase(), ...path].join("/");
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the file, and with it a login.
    const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0] ?? "";
    throw new DockerConfigInvalid(`${source} is not JSON ${place}`.trim() + ".");
  }
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new DockerConfigInvalid(`${path} is not an object.`);
}

function textOf(value: unknown, path: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw new DockerConfigInvalid(`${path} is not a string.`);
}
