/** A fenced block of a page. */
interface Block {
  readonly language: string;
  readonly body: string;
}

export function blocksOf(text: string): readonly Block[] {
  const found = [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  return found.map(([, language = "", body = ""]) => ({ language, body }));
}

/** Replaces what differs between two runs: times, addresses, tokens, temporary folders and the ends of names. */
export function normalise(output: string): string {
  return output
    .replaceAll(/127\.0\.0\.1:\d+|public\.ecr\.aws/g, "HOST")
    .replaceAll(/#token=\S+/g, "#token")
    .replaceAll(/pawl-demo-\w+/g, "pawl-demo")
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z/g, "TIME")
    .replaceAll(/^\d{2}:\d{2}:\d{2}/gm, "TIME")
    .replaceAll(/^(Time left: +)\S+,/gm, "$1TIME,")
    .replaceAll(/-[\da-f]{12}\b/g, "-HASH")
    .replaceAll(/-[\da-f]{8,10}-[a-z\d]{5}\b/g, "-POD")
    .replaceAll(/ +/g, " ")
    .replaceAll(/ $/gm, "");
}
