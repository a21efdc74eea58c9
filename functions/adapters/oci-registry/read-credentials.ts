import { readFile } from "node:fs/promises";
import { anonymous, type CredentialsFor } from "./credentials.ts";
import { dockerConfigCredentials } from "./docker-config.ts";
import { DockerConfigInvalid } from "./parse-docker-config.ts";

/** The credentials of a docker config.json; anonymous without a file. Throws `DockerConfigInvalid`, naming the file. */
export async function readCredentials(path: string | null): Promise<CredentialsFor> {
  if (path === null) return anonymous;
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new DockerConfigInvalid(`${path} cannot be read: ${error.message}`);
  });
  return dockerConfigCredentials(text, path);
}
