import { describe, expect, test } from "vitest";
import type { NodeCommand } from "../../functions/domain/node-pool/agent/outcome.ts";
import type { Commands } from "../../functions/ports/commands.ts";

/** "works" does what it is told; "fails" at staging, saying why; "deaf" is known and takes nothing up; "strange" is not known. */
export type Kind = "works" | "fails" | "deaf" | "strange";

export interface CommandsUnderTest {
  readonly commands: Commands;
  /** The instance of this kind. */
  instance(kind: Kind): string;
  /** Lets every command come to its end, or be given up. */
  pass(): void;
}

const stage: NodeCommand = { action: "stage", image: `quay.io/example/myos@sha256:${"b".repeat(64)}` };

/** What every implementation of the port does. */
export function commandsContract(prepare: () => Promise<CommandsUnderTest>): void {
  async function sent(kind: Kind, command: NodeCommand = stage) {
    const under = await prepare();
    const answer = await under.commands.send(under.instance(kind), command);
    if (answer.kind !== "sent") throw new Error(answer.reason);
    return { ...under, id: answer.id, result: () => under.commands.result(under.instance(kind), answer.id) };
  }

  describe("Commands", () => {
    test("know nothing of what was never sent", async () => {
      const { commands, instance } = await prepare();
      expect(await commands.result(instance("works"), "0831a8d2-0000-4000-8000-000000000000")).toEqual({
        kind: "unknown",
      });
    });

    test.for<NodeCommand["action"]>(["status", "stage"])(
      "run %s until it ends, and show what it says",
      async (action) => {
        const { result, pass } = await sent("works", { action, image: action === "status" ? "" : stage.image });
        expect(await result()).toEqual({ kind: "running" });
        pass();
        expect(await result()).toEqual({ kind: "ended", output: expect.stringContaining('"status":'), problem: null });
      },
    );

    test("say why one failed, and what it says all the same", async () => {
      const { result, pass } = await sent("fails");
      pass();
      expect(await result()).toEqual({
        kind: "ended",
        output: expect.stringContaining('"status":'),
        problem: "error: Switching: no such manifest",
      });
    });

    test("that were never taken up say so", async () => {
      const { result, pass, instance } = await sent("deaf");
      expect(await result()).toEqual({ kind: "running" });
      pass();
      expect(await result()).toEqual({ kind: "unreachable", reason: expect.stringContaining(instance("deaf")) });
    });

    test("are not sent to what nobody knows", async () => {
      const { commands, instance } = await prepare();
      const reason = expect.stringContaining(instance("strange"));
      expect(await commands.send(instance("strange"), stage)).toEqual({ kind: "unreachable", reason });
    });

    test("that are sent twice are two", async () => {
      const { commands, instance, id } = await sent("works");
      const again = await commands.send(instance("works"), stage);
      expect(again).toMatchObject({ kind: "sent" });
      expect(again).not.toMatchObject({ id });
    });

    test("are those of their instance", async () => {
      const { commands, instance, id } = await sent("works");
      expect(await commands.result(instance("fails"), id)).toEqual({ kind: "unknown" });
    });
  });
}
