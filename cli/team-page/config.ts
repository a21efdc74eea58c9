import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import {
  closedObject,
  crossCheck,
  recordOf,
  text,
  trimmedText,
  unique,
  wholeNumber,
} from "../../functions/domain/text/schema.ts";
import { validate } from "../../functions/domain/text/schema-problems.ts";
import { InvalidInput } from "../exit-codes.ts";

const name = text(/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/, "a name of at most 32 lower-case letters, digits and -");
const path = trimmedText("a path");
const address = v.pipe(
  text(/^https:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/, "an https:// address"),
  v.url("an https:// address"),
);

const originMessage = "an https:// address without a path, in lower case, and without the port 443";
/** As browsers write it in the headers Host and Origin. */
const origin = v.pipe(
  v.string(originMessage),
  v.check((url) => url.startsWith("https:") && URL.canParse(url) && new URL(url).origin === url, originMessage),
);

const login = closedObject({
  name,
  issuer: address,
  clientId: trimmedText("a client id"),
  /** Absent for a public client. */
  clientSecretFile: v.nullish(path, null),
  scope: v.optional(text(/^openid( |$)/, "scopes that begin with openid"), "openid email"),
  /** Of the authorization request, such as `prompt: consent`. */
  parameters: v.optional(
    recordOf(text(/^(prompt|access_type|max_age|acr_values|audience|resource)$/, "a parameter"), v.string()),
    {},
  ),
});

const cluster = closedObject({
  name,
  server: address,
  certificateAuthorityFile: path,
  /** Whose ID tokens its API server accepts. */
  login: name,
  /** Absent is all. */
  namespaces: v.optional(v.pipe(v.array(name), v.minLength(1, "a list of namespaces"))),
  allowActions: v.optional(v.boolean(), false),
  /** Needs rights in all of the cluster. */
  nodePools: v.optional(v.boolean(), false),
});

const schema = v.pipe(
  closedObject({
    url: origin,
    address: v.optional(trimmedText("an address to listen on"), "0.0.0.0"),
    port: v.optional(wholeNumber(0, 65_535), 8080),
    /** Absent if a proxy in front of it ends TLS. */
    tls: v.nullish(closedObject({ certificateFile: path, keyFile: path }), null),
    logins: v.pipe(
      v.array(login),
      v.minLength(1, "a list of logins"),
      unique((one) => one?.name, "name"),
    ),
    clusters: v.pipe(
      v.array(cluster),
      v.minLength(1, "a list of clusters"),
      unique((one) => one?.name, "name"),
    ),
  }),
  crossCheck(["logins", "clusters"], ({ logins, clusters }) =>
    clusters.flatMap((one, index) =>
      logins.some((other) => other.name === one.login)
        ? []
        : [{ path: ["clusters", index, "login"], reason: `"${one.login}" is none of the logins` }],
    ),
  ),
);

type Written = v.InferOutput<typeof schema>;
export type LoginConfig = Omit<Written["logins"][number], "clientSecretFile"> & {
  readonly clientSecret: string | null;
};
export type ClusterConfig = Omit<Written["clusters"][number], "certificateAuthorityFile"> & {
  readonly certificateAuthority: string;
};

export interface TeamPageConfig extends Omit<Written, "tls" | "logins" | "clusters"> {
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly logins: readonly LoginConfig[];
  readonly clusters: readonly ClusterConfig[];
}

/** Reads the configuration and the files that it names, relative to it. Throws `InvalidInput`. */
export function readTeamPageConfig(file: string): TeamPageConfig {
  const validation = validate(schema, parseYaml(file), file);
  if (validation.kind === "invalid") throw new InvalidInput(validation.problems.map(({ reason }) => reason).join("\n"));
  const read = (named: string) => readText(resolve(dirname(file), named));
  const { tls, logins, clusters, ...rest } = validation.value;
  return {
    ...rest,
    tls: tls === null ? null : { cert: read(tls.certificateFile), key: read(tls.keyFile) },
    logins: logins.map(({ clientSecretFile, ...one }) => ({
      ...one,
      clientSecret: clientSecretFile === null ? null : read(clientSecretFile).trim(),
    })),
    clusters: clusters.map(({ certificateAuthorityFile, ...one }) => ({
      ...one,
      certificateAuthority: read(certificateAuthorityFile),
    })),
  };
}

function parseYaml(file: string): unknown {
  const written = readText(file);
  try {
    return parse(written);
  } catch (error) {
    throw new InvalidInput(`${file}: ${(error as Error).message.split("\n")[0]}`, { cause: error });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvalidInput(`${file}: is not readable: ${(error as Error).message}`, { cause: error });
  }
}
