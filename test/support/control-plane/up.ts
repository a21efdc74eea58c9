/** Runs a control plane for manual tests until Ctrl-C: node test/support/control-plane/up.ts */
import { once } from "node:events";
import { startControlPlane } from "../control-plane.ts";

const interrupted = once(process, "SIGINT");
const plane = await startControlPlane();
process.stdout.write(`export KUBECONFIG=${plane.kubeconfigPath}\n`);
const keepAlive = setInterval(() => {}, 60_000);
await interrupted;
clearInterval(keepAlive);
await plane.stop();
