import type { ExternalCall } from "./external-call.ts";
import { type Fault, faultResponse } from "./fault.ts";
import type { Arrival } from "./intercept.ts";

/** What a fault does beside what the sender receives. */
interface Effects {
  /** Ends the process that runs all functions and executions. */
  readonly kill: () => void;
  /** Ends the function that sent the request. */
  readonly crash: () => void;
  /** Keeps the connection open, and never responds. */
  readonly hold: () => void;
  /** Notes that the function waits for what never comes. */
  readonly wait: () => void;
  /** Deletes an object of the cluster. */
  readonly deleteObject: (path: string) => Promise<void>;
}

/** Handles a request with a fault instead of by its server, or loses the response of its server. */
export function injectFault(fault: Fault, { service, object }: ExternalCall, arrival: Arrival, effects: Effects): void {
  const { response, pass } = arrival;
  const answer = faultResponse(fault, service);
  if (fault === "gone" && object !== null) return void effects.deleteObject(object).then(pass);
  if (answer !== null) {
    const headers = { "content-type": "application/json", ...answer.headers };
    return void response.writeHead(answer.status, headers).end(JSON.stringify(answer.body));
  }
  if (fault === "reset") return void response.destroy();
  if (fault === "reset-lost") return loseResponse(arrival, () => void response.socket?.destroy());
  if (fault === "killed-after") return loseResponse(arrival, effects.kill);
  if (fault === "hang-lost") {
    effects.wait();
    return loseResponse(arrival, effects.hold);
  }
  effects.hold();
  if (fault === "platform") effects.crash();
  else effects.kill();
}

/** Lets the server handle the request, and drops its response. */
function loseResponse({ response, pass }: Arrival, afterwards: () => void): void {
  response.writeHead = () => response;
  response.write = () => true;
  response.end = () => {
    afterwards();
    return response;
  };
  pass();
}
