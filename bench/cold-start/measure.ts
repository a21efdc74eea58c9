import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface ColdStart {
  /** CPU time of the import, in milliseconds. */
  readonly importMs: number;
  /** The same until the first request has been sent, the import included. */
  readonly firstRequestMs: number;
  /** The same until the first call has returned. */
  readonly callMs: number;
  /** Peak memory of the process after the call. */
  readonly mebibytes: number;
}

interface Unsent extends Omit<ColdStart, "firstRequestMs"> {
  readonly firstRequestMs: null;
}

/** The time of the start of Node.js itself is not in it. */
const program = `
import { subscribe } from "node:diagnostics_channel";
const start = process.cpuUsage();
const elapsed = () => { const { user, system } = process.cpuUsage(start); return (user + system) / 1000; };
let firstRequestMs = null;
for (const channel of ["undici:client:sendHeaders", "http.client.request.start"]) subscribe(channel, () => { firstRequestMs ??= elapsed(); });
const [file, name, event] = process.argv.slice(1);
const { [name]: handler } = await import(file);
const importMs = elapsed();
await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 60000 }).catch(() => {});
const mebibytes = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ importMs, firstRequestMs, callMs: elapsed(), mebibytes }));
process.exit();
`;

/** Imports a bundle in a new process and calls one of its handlers, as the first invocation of a Lambda function does. */
export async function measureColdStart(
  file: string,
  handler: string,
  event: object,
  environment: Readonly<Record<string, string>>,
): Promise<ColdStart> {
  const args = ["--input-type=module", "--eval", program, file, handler, JSON.stringify(event)];
  const { stdout } = await run(process.execPath, args, { env: { ...environment } });
  const measured = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as ColdStart | Unsent;
  const { firstRequestMs } = measured;
  if (firstRequestMs === null) throw new Error(`${handler}: made no request`);
  return { ...measured, firstRequestMs };
}
