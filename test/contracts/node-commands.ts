import { describe, expect, test } from "vitest";
import type { NodeCommand } from "../../functions/domain/node-pool/agent/outcome.ts";
import type { Commands } from "../../functions/ports/node-commands.ts";

/** "works" runs commands; "fails" fails to stage with a message; "offline" is registered but receives none; "unknown-instance" is not registered. */
export type Kind = "works" | "fails" | "offline" | "unknown-instance";

export interface CommandsUnderTest {
  readonly commands: Commands;
  /** Returns the instance of this kind. */
  instance(kind: Kind): string;
  /** Lets every command end or expire. */
  pass(): void;
}

const stage: NodeCommand = { action: "stage", image: `quay.io/example/myos@sha256:${"b".repeat(64)}` };

/** The contract of every implementation. */
export function commandsContract(prepare: () => Promise<CommandsUnderTest>): void {
  async function sendCommand(kind: Kind, command: NodeCommand = stage) {
    const under = await prepare();
    const answer = await under.commands.send(under.instance(kind), command);
    if (answer.kind !== "sent") throw new Error(answer.reason);
    return { ...under, id: answer.id, result: () => under.commands.result(under.instance(kind), answer.id) };
  }

  describe("Commands", () => {
    test("are unknown before they are sent", async () => {
      const { commands, instance } = await prepare();
      expect(await commands.result(instance("works"), "0831a8d2-0000-4000-8000-000000000000")).toEqual({
        kind: "unknown",
      });
    });

    test.for<NodeCommand["action"]>(["status", "stage"])("run %s to its end, and return its output", async (action) => {
      const { result, pass } = await sendCommand("works", { action, image: action === "status" ? "" : stage.image });
      expect(await result()).toEqual({ kind: "running" });
      pass();
      expect(await result()).toEqual({ kind: "ended", output: expect.stringContaining('"status":'), problem: null });
    });

    test("return the reason of a failure, and the output", async () => {
      const { result, pass } = await sendCommand("fails");
      pass();
      expect(await result()).toEqual({
        kind: "ended",
        output: expect.stringContaining('"status":'),
        problem: "error: Switching: no such manifest",
      });
    });

    test("that were never delivered are unreachable", async () => {
      const { result, pass, instance } = await sendCommand("offline");
      expect(await result()).toEqual({ kind: "running" });
      pass();
      expect(await result()).toEqual({ kind: "unreachable", reason: expect.stringContaining(instance("offline")) });
    });

    test("are not sent to an unknown instance", async () => {
      const { commands, instance } = await prepare();
      const reason = expect.stringContaining(instance("unknown-instance"));
      expect(await commands.send(instance("unknown-instance"), stage)).toEqual({ kind: "unreachable", reason });
    });

    test("that are sent twice run twice", async () => {
      const { commands, instance, id } = await sendCommand("works");
      const again = await commands.send(instance("works"), stage);
      expect(again).toMatchObject({ kind: "sent" });
      expect(again).not.toMatchObject({ id });
    });

    test("belong to their instance", async () => {
      const { commands, instance, id } = await sendCommand("works");
      expect(await commands.result(instance("fails"), id)).toEqual({ kind: "unknown" });
    });
  });
}
