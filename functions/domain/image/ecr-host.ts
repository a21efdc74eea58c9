interface EcrHost {
  /** Twelve digits. */
  readonly account: string;
  readonly region: string;
}

/** A private ECR registry, with the domains of all partitions, dual stack and FIPS (amazon-ecr-credential-helper). */
const grammar =
  /^(\d{12})\.dkr[.-]ecr(?:-fips)?\.([a-z0-9-]+)\.(?:amazonaws\.(?:com(?:\.cn)?|eu)|on\.aws|on\.amazonwebservices\.com\.cn|c2s\.ic\.gov|sc2s\.sgov\.gov|csp\.hci\.ic\.gov|cloud\.adc-e\.uk)$/;

/** Parses the host of a private ECR registry; null for any other host. */
export function parseEcrHost(host: string): EcrHost | null {
  const [, account, region] = grammar.exec(host) ?? [];
  return account === undefined || region === undefined ? null : { account, region };
}
