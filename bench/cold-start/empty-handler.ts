import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";

const client = new EventBridgeClient({ maxAttempts: 1 });

/** The lower bound: a function that only sends one request, with one client of the AWS SDK. */
export async function handler(): Promise<void> {
  await client.send(new PutEventsCommand({ Entries: [{ Source: "bench", DetailType: "bench", Detail: "{}" }] }));
}
