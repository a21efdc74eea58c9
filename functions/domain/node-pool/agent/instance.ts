/** The instance of EC2 that a Node is, by its providerID (`aws:///eu-west-1a/i-0123456789abcdef0`); null where it is none. */
export function instanceOf(providerId: string | null): string | null {
  return /^aws:\/\/\/[^/]+\/(?<instance>i-[0-9a-f]{8,17})$/.exec(providerId ?? "")?.groups?.["instance"] ?? null;
}
