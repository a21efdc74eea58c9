import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listen } from "../../infra/local/listen.ts";

interface Identity {
  readonly username: string;
  readonly groups?: readonly string[];
  /** The clock of the API server. */
  readonly now?: () => Date;
}

/**
 * Writes a kubeconfig for a proxy that says who asks, and what time it is: the API server of the tests knows nobody. Without a name it says
 * nothing, as Kubernetes before 1.28.
 */
export async function proxiedKubeconfig(
  path: string,
  directory: string,
  { username, groups = [], now = () => new Date() }: Identity,
): Promise<string> {
  const kubeconfig = await readFile(path, "utf8");
  const [server = ""] = /https?:\/\/[^"\s]+/.exec(kubeconfig) ?? [];
  const userInfo = { username, groups };
  const review = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "SelfSubjectReview",
    metadata: {},
    status: { userInfo },
  };
  const proxy = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = request;
      const body = await buffer(request);
      const type = { "content-type": "application/json", date: now().toUTCString() };
      if (username !== "" && url.includes("/selfsubjectreviews"))
        return response.writeHead(201, type).end(JSON.stringify(review));
      const forwarded = { "content-type": headers["content-type"] ?? "", authorization: headers.authorization ?? "" };
      const answer = await fetch(server + url, { method, headers: forwarded, ...(method === "GET" ? {} : { body }) });
      return response.writeHead(answer.status, type).end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  const { host, close } = await listen(proxy);
  onTestFinished(close);
  const own = join(directory, "kubeconfig");
  await writeFile(own, kubeconfig.replaceAll(server, `http://${host}`));
  return own;
}
