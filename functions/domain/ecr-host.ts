export interface EcrHost {
  /** Twelve digits. */
  readonly account: string;
  readonly region: string;
}

/** A private registry of ECR, with the domains of all partitions, dual stack and FIPS (amazon-ecr-credential-helper). */
const grammar =
  /^(\d{12})\.dkr[.-]ecr(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.(?:com(?:\.cn)?|eu)|on\.aws|on\.amazonwebservices\.com\.cn|c2s\.ic\.gov|sc2s\.sgov\.gov)$/;

/** Whose registry a host is, where it is one of ECR's; null for every other host, whatever it looks like. */
export function parseEcrHost(host: string): EcrHost | null {
  const [, account, region] = grammar.exec(host) ?? [];
  return account === undefined || region === undefined ? null : { account, region };
}
