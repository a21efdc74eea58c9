import { getCACertificates } from "node:tls";

// Sends the requests of its arguments with the clients of the functions, and prints a line for each result.

const requests: Readonly<Record<string, (target: string) => Promise<string>>> = {
  async registry(url) {
    const { send } = await import("../../functions/adapters/oci-registry/http/http.ts");
    const bounds = { seconds: 10, bytes: 1000, subject: "test", mayBePrivate: () => true };
    const { status, body } = await send(new URL(url), { method: "GET", headers: {} }, bounds);
    return `${status} ${Buffer.from(body).toString()}`;
  },

  async lambda(endpoint) {
    const { InvokeCommand, LambdaClient } = await import("@aws-sdk/client-lambda");
    const { withTimeouts } = await import("../../functions/adapters/aws/client.ts");
    const credentials = { accessKeyId: "a", secretAccessKey: "b" };
    const client = new LambdaClient({ ...withTimeouts({ endpoint, region: "eu-central-1", credentials }) });
    const { StatusCode } = await client.send(new InvokeCommand({ FunctionName: "pawl" }));
    return String(StatusCode);
  },

  async kubernetes(server) {
    const { CoreV1Api, KubeConfig } = await import("@kubernetes/client-node");
    const kubeConfig = new KubeConfig();
    kubeConfig.loadFromClusterAndUser({ name: "test", server, skipTLSVerify: true }, { name: "anonymous" });
    return JSON.stringify(await kubeConfig.makeApiClient(CoreV1Api).listNamespace());
  },

  async certificates() {
    return String(getCACertificates("extra").length);
  },
};

for (const request of process.argv.slice(2)) {
  const [kind = "", target = ""] = request.split("=");
  const result = await requests[kind]?.(target).catch((error: Error) => `${error.name}: ${error.message}`);
  process.stdout.write(`${kind}: ${result}\n`);
}
