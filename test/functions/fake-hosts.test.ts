import { commandsContract, type Kind } from "../contracts/commands.ts";
import { imageA } from "../domain/node-pool/pools.ts";
import { fakeHosts } from "../support/fake-hosts.ts";

commandsContract(async () => {
  const hosts = fakeHosts({ works: imageA, fails: imageA, deaf: imageA });
  hosts.host("fails").fault = "stage-fails";
  hosts.host("deaf").fault = "deaf";
  return {
    commands: hosts,
    instance: (kind: Kind) => kind,
    pass: () => [1, 2, 3].forEach(() => hosts.turn()),
  };
});
