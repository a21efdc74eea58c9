import type { FunctionConfiguration, LambdaClient } from "@aws-sdk/client-lambda";
import { mapConcurrent } from "../../functions/workflows/map-concurrent.ts";
import manifest from "../../package.json" with { type: "json" };
import { versionOf } from "../../infra/constructs/functions/description.ts";
import type { HandlerName } from "../../infra/constructs/functions/function-specs.ts";
import { type Check, failed, nullOn, passed, unknown } from "./check.ts";
import { functionName, type DoctorTarget } from "./target.ts";

/** A function as deployed; null if it does not exist. */
export interface DeployedFunction {
  readonly handler: HandlerName;
  readonly deployed: FunctionConfiguration | null;
}

/** Returns the functions of the cluster behind the alias that all callers use. Reads them once. */
export function functionReader(lambda: LambdaClient, target: DoctorTarget): () => Promise<readonly DeployedFunction[]> {
  let reading: Promise<readonly DeployedFunction[]> | null = null;
  return () => (reading ??= readFunctions(lambda, target));
}

async function readFunctions(lambda: LambdaClient, target: DoctorTarget): Promise<readonly DeployedFunction[]> {
  const { GetFunctionConfigurationCommand } = await import("@aws-sdk/client-lambda");
  return mapConcurrent(target.handlers, 5, async (handler) => {
    const command = new GetFunctionConfigurationCommand({
      FunctionName: functionName(target, handler),
      Qualifier: "live",
    });
    return { handler, deployed: await nullOn(["ResourceNotFoundException"], lambda.send(command)) };
  });
}

export function functionsCheck(read: () => Promise<readonly DeployedFunction[]>, { cluster }: DoctorTarget): Check {
  const fix = `npx cdk deploy --all # stack ${cluster.prefix}-${cluster.name}`;
  return {
    name: "functions",
    async run() {
      const functions = await read();
      const absent = functions.filter(({ deployed }) => deployed === null).map(({ handler }) => handler);
      if (absent.length > 0)
        return failed(`${absent.length} of ${functions.length} are not deployed: ${absent.join(", ")}`, fix);
      const broken = functions.filter(({ deployed }) => deployed?.State === "Failed");
      if (broken.length > 0) return failed(`failed: ${broken.map(describeBroken).join("; ")}`, fix);
      const others = functions.filter(({ deployed }) => versionOf(deployed?.Description) !== manifest.version);
      if (others.length > 0) return failed(`${describeVersions(others)}; this is ${manifest.version}`, fix);
      return passed(`${functions.length} deployed, of version ${manifest.version}`);
    },
  };
}

/** A deployment that failed may have left functions of several versions. */
function describeVersions(functions: readonly DeployedFunction[]): string {
  const byVersion = Map.groupBy(functions, ({ deployed }) => versionOf(deployed?.Description) ?? "an unknown version");
  return [...byVersion].map(([version, { length }]) => `${length} of ${version}`).join(", ");
}

function describeBroken({ handler, deployed }: DeployedFunction): string {
  return `${handler} (${deployed?.StateReason ?? "no reason"})`;
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const maxEnvironmentBytes = 4096;

export function environmentCheck(read: () => Promise<readonly DeployedFunction[]>): Check {
  return {
    name: "environment",
    async run() {
      const sizes = (await read()).flatMap(({ handler, deployed }) =>
        deployed === null ? [] : [{ handler, bytes: environmentBytes(deployed) }],
      );
      const [largest] = sizes.toSorted((one, other) => other.bytes - one.bytes);
      if (largest === undefined) return unknown("no function is deployed");
      const detail = `at most ${largest.bytes} of ${maxEnvironmentBytes} bytes (${largest.handler})`;
      if (largest.bytes <= maxEnvironmentBytes) return passed(detail);
      return failed(detail, "shorten the lists of the configuration, such as namespaces and registries.allowed");
    },
  };
}

function environmentBytes({ Environment }: FunctionConfiguration): number {
  return Buffer.byteLength(JSON.stringify(Environment?.Variables ?? {}));
}
