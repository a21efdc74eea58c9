import { writeFileSync } from "node:fs";
import { buildFunctions } from "./build-functions.ts";

// Writes the bundle of the functions into the folder of the first argument, and the list of its inputs to the file of the second. A process
// of its own, because esbuild is asynchronous with plugins, and the constructs of the CDK are not.

const [, , directory = "", listFile = ""] = process.argv;
const { outputs } = await buildFunctions(directory);
const inputs = new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)));
writeFileSync(listFile, JSON.stringify([...inputs].toSorted()));
