import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen } from "../../../infra/local/listen.ts";

export interface AwsCall {
  /** Operation in `X-Amz-Target`; method and path for services without that header. */
  readonly operation: string;
  readonly body: string;
  readonly authorization: string;
  /** `X-Amz-Invocation-Type` of Lambda; null for other services. */
  readonly invocationType: string | null;
}

export interface AwsAnswer {
  readonly status?: number;
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeAws extends AsyncDisposable {
  /** Options for an SDK client: one attempt, and credentials that are not verified. */
  readonly options: {
    readonly endpoint: string;
    readonly region: string;
    readonly maxAttempts: number;
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  /** Oldest first. */
  readonly calls: readonly AwsCall[];
}

type Responder = (call: AwsCall) => AwsAnswer | "hang up" | Promise<AwsAnswer | "hang up">;

/** Serves any AWS API on a free loopback port. `answer` returns the responses; "hang up" closes the connection. */
export async function fakeAws(answer: Responder): Promise<FakeAws> {
  const calls: AwsCall[] = [];
  const server = createServer((request, response) => {
    void reply(request, response);
  });

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request);
    calls.push(call);
    send(await answer(call), response);
  }

  const { host, close } = await listen(server);
  const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };
  return {
    options: { endpoint: `http://${host}`, region: "eu-west-1", maxAttempts: 1, credentials },
    calls,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns an error in the format of services with `X-Amz-Target`. */
export function refusalOf(type: string, status = 400): AwsAnswer {
  return { status, body: { __type: type, message: "no" }, headers: { "x-amzn-errortype": type } };
}

async function callOf(request: IncomingMessage): Promise<AwsCall> {
  const { headers, method = "", url = "" } = request;
  const target = headers["x-amz-target"];
  const operation = typeof target === "string" ? (target.split(".").at(-1) ?? "") : `${method} ${url}`;
  const type = headers["x-amz-invocation-type"];
  const invocationType = typeof type === "string" ? type : null;
  return { operation, body: await text(request), authorization: headers.authorization ?? "", invocationType };
}

function send(answer: AwsAnswer | "hang up", response: ServerResponse): void {
  if (answer === "hang up") return void response.destroy();
  const { status = 200, body, headers = {} } = answer;
  const written = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/x-amz-json-1.1", ...headers }).end(written);
}
