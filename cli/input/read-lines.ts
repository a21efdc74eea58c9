import { text } from "node:stream/consumers";

/** The lines of stdin up to its end, without blanks around them and without empty ones. */
export async function readLines(stream: NodeJS.ReadStream): Promise<readonly string[]> {
  return (await text(stream))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
