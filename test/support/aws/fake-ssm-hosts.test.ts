import { commandsContract, type Kind } from "../../contracts/node-commands.ts";
import { imageA } from "../../domain/node-pool/pools.ts";
import { createFakeSsmHosts } from "./fake-ssm-hosts.ts";

commandsContract(async () => {
  const hosts = createFakeSsmHosts({ works: imageA, fails: imageA, offline: imageA });
  hosts.host("fails").fault = "stage-fails";
  hosts.host("offline").fault = "offline";
  return {
    commands: hosts,
    instance: (kind: Kind) => kind,
    pass: () => [1, 2, 3].forEach(() => hosts.step()),
  };
});
