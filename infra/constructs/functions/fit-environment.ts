import { Token } from "aws-cdk-lib";
import { InvalidProps } from "../../config/invalid-props.ts";
import { layerPath } from "./files-layer.ts";
import { settingsFile } from "../resource-names.ts";

/** Of the environment of a function as JSON: Lambda measures it so. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxBytes = 4096;

/** What is known at the deployment only is shorter: an ARN, or a certificate. */
const tokenBytes = 160;
const certificateBytes = 2048;

type Variables = Readonly<Record<string, string>>;

export interface FittedEnvironment {
  readonly environment: Variables;
  /** The settings that are read from a file instead; none if the environment is short enough. */
  readonly settings: Variables;
}

/** Moves the longest settings to a file until the environment is short enough. Throws `InvalidProps` if it remains too long. */
export function fitEnvironment(functionName: string, variables: Variables): FittedEnvironment {
  const environment = { ...variables };
  const settings: Record<string, string> = {};
  const movable = Object.keys(variables).filter((name) => isMovable(name, variables[name]));
  movable.sort((one, other) => sizeOf(variables, other) - sizeOf(variables, one));
  for (const name of movable) {
    if (totalOf(environment) <= maxBytes) break;
    environment["PAWL_SETTINGS_FILE"] = layerPath(settingsFile);
    settings[name] = variables[name] ?? "";
    delete environment[name];
  }
  const bytes = totalOf(environment);
  if (bytes <= maxBytes) return { environment, settings };
  const [longest] = Object.keys(environment).sort(
    (one, other) => sizeOf(environment, other) - sizeOf(environment, one),
  );
  const found = `the environment of ${functionName} has ${bytes} bytes, and Lambda allows ${maxBytes}`;
  throw new InvalidProps(`${found}; shorten what ${longest} comes from (for NO_PROXY: proxy.noProxy)`);
}

/** The cluster is compared with the input before any setting is read, and a token is not resolved in a file. */
function isMovable(name: string, value: string | undefined): boolean {
  return name.startsWith("PAWL_") && name !== "PAWL_CLUSTER" && !Token.isUnresolved(value);
}

function totalOf(variables: Variables): number {
  // Two braces, and one comma less.
  return Object.keys(variables).reduce((total, name) => total + sizeOf(variables, name), 1);
}

function sizeOf(variables: Variables, name: string): number {
  const value = variables[name] ?? "";
  // The quotes of the name, a colon and a comma.
  const nameBytes = name.length + 4;
  if (!Token.isUnresolved(value)) return nameBytes + Buffer.byteLength(JSON.stringify(value));
  return nameBytes + 2 + (name === "PAWL_EKS_CA" ? certificateBytes : tokenBytes);
}
