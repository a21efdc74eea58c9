import { parse } from "yaml";

/** Returns the value of YAML or JSON; the text itself if it is neither. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return text;
  }
}
