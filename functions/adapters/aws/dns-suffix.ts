/** By the start of the region's name: China, the European Sovereign Cloud and isolated partitions. */
const suffixes: Readonly<Record<string, string>> = {
  cn: "amazonaws.com.cn",
  eusc: "amazonaws.eu",
  "us-iso": "c2s.ic.gov",
  "us-isob": "sc2s.sgov.gov",
  "us-isof": "csp.hci.ic.gov",
  "eu-isoe": "cloud.adc-e.uk",
};

/** Returns the domain of a region's endpoints. */
export function dnsSuffix(region: string): string {
  const [, start = ""] = /^(cn|eusc|(?:us|eu)-iso[a-z]?)-/.exec(region) ?? [];
  return suffixes[start] ?? "amazonaws.com";
}
