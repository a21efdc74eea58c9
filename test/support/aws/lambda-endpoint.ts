import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

type Handler = (event: unknown) => Promise<unknown>;

/** Serves Lambda's Invoke API on a free loopback port. Functions are matched by name; qualifiers are ignored. */
export async function startLambdaEndpoint(functions: Readonly<Record<string, Handler>>) {
  const server = createServer((request, response) => {
    void answer(request, functions).then(({ status, headers, body }) => response.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

async function answer(request: IncomingMessage, functions: Readonly<Record<string, Handler>>) {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  const requested =
    decodeURIComponent(request.url ?? "")
      .split("/")
      .at(3) ?? "";
  const handler = Object.entries(functions).find(([name]) => requested.split(":").includes(name))?.[1];
  if (handler === undefined)
    return { status: 404, headers: {}, body: JSON.stringify({ message: `function not found: ${requested}` }) };
  try {
    return { status: 200, headers: {}, body: JSON.stringify(await handler(JSON.parse(text))) };
  } catch (error) {
    const { name, message } = error as Error;
    const body = JSON.stringify({ errorType: name, errorMessage: message, trace: [] });
    return { status: 200, headers: { "X-Amz-Function-Error": "Unhandled" }, body };
  }
}
