/** The image of each runtime that k8s4claw publishes. Claws with another runtime are skipped. */
const published: Readonly<Record<string, string>> = {
  openclaw: "ghcr.io/prismer-ai/k8s4claw-openclaw",
  nanoclaw: "ghcr.io/prismer-ai/k8s4claw-nanoclaw",
  zeroclaw: "ghcr.io/prismer-ai/k8s4claw-zeroclaw",
  picoclaw: "ghcr.io/prismer-ai/k8s4claw-picoclaw",
  ironclaw: "ghcr.io/prismer-ai/k8s4claw-ironclaw",
  hermesclaw: "ghcr.io/nousresearch/hermes-agent",
};

export type RuntimeImages = Readonly<Record<string, string>>;

/** Returns the repository of a runtime's image, or null. `mirrors` (runtime to repository) take precedence. */
export function imageForRuntime(runtime: string, mirrors: RuntimeImages = {}): string | null {
  if (Object.hasOwn(mirrors, runtime)) return mirrors[runtime] ?? null;
  return Object.hasOwn(published, runtime) ? (published[runtime] ?? null) : null;
}
