/** What else than images registries keep under tags, by a part of the media types of their configuration and layers. */
const artifacts = [
  ["cncf.helm", "a Helm chart"],
  ["dev.cosign", "a signature of cosign"],
  ["dev.sigstore", "a signature of sigstore"],
  ["in-toto", "an attestation"],
  ["cyclonedx", "a list of components (SBOM)"],
  ["spdx", "a list of components (SBOM)"],
  ["cncf.flux", "a package of Flux"],
] as const;

/** Of an artifact without a configuration: OCI image specification 1.1, "Guidance for an empty descriptor". */
const emptyConfig = "application/vnd.oci.empty.v1+json";

/** Returns what a manifest is if no container can run it; null if it is an image or an index. */
export function artifactName({ artifactType, config, layers }: Readonly<Record<string, unknown>>): string | null {
  const configType = mediaTypeOf(config);
  const listed = Array.isArray(layers) ? layers.map(mediaTypeOf) : [];
  const types = [...listed, configType, ...(typeof artifactType === "string" ? [artifactType] : [])];
  const known = artifacts.find(([part]) => types.some((type) => type.includes(part)));
  if (known !== undefined) return known[1];
  return configType === emptyConfig ? "an artifact that is no image" : null;
}

function mediaTypeOf(descriptor: unknown): string {
  const isObject = typeof descriptor === "object" && descriptor !== null && "mediaType" in descriptor;
  return isObject && typeof descriptor.mediaType === "string" ? descriptor.mediaType : "";
}
