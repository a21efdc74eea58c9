import type { Invalid } from "../../functions/domain/invalid.ts";
import { WrongInput } from "../exit.ts";

/** What was read, or `WrongInput` naming the option or argument that it was read from. */
export function valid<Read extends object>(where: string, read: Read | Invalid): Exclude<Read, Invalid> {
  if ("kind" in read && read.kind === "invalid") throw new WrongInput(`${where}: ${read.reason}`);
  return read as Exclude<Read, Invalid>;
}
