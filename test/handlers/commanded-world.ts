import type { NodePool, PoolNode } from "../../functions/domain/node-pool/types.ts";
import { fresh, imageA } from "../domain/node-pool/pools.ts";
import type { HostFault } from "../support/bootc-host.ts";
import type { AtMoment } from "../support/fake-cluster.ts";
import { type FakeHosts, fakeHosts } from "../support/fake-hosts.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import { newPool } from "./pool-world.ts";

export interface CommandedWorld {
  readonly ports: FakePorts;
  readonly hosts: FakeHosts;
  /** Lets every machine take its next step, and its kubelet follow it. */
  turn(): void;
}

export interface CommandedOptions {
  readonly count?: number;
  readonly of?: NodePool;
  readonly faults?: Readonly<Record<string, HostFault>>;
  readonly atMoment?: AtMoment;
}

/** The instance of the node `w1` is `i-00000001`, and so on. */
export function instanceOfNode(name: string): string {
  return `i-${name.slice(1).padStart(8, "0")}`;
}

/** A pool of nodes `w1`, `w2` … without daemons, each an instance that runs image A. */
export function commandedWorld(options: CommandedOptions = {}): CommandedWorld {
  const { count = 3, of = newPool({ agent: "RunCommand" }), faults = {}, atMoment } = options;
  const names = Array.from({ length: count }, (_, index) => `w${index + 1}`);
  const nodes: PoolNode[] = names.map((name) =>
    fresh(name, { uid: `${name}-0`, providerId: `aws:///eu-west-1a/${instanceOfNode(name)}` }),
  );
  const moments = atMoment === undefined ? {} : { atMoment };
  const hosts = fakeHosts(Object.fromEntries(names.map((name) => [instanceOfNode(name), imageA])), atMoment);
  for (const [name, fault] of Object.entries(faults)) hosts.host(instanceOfNode(name)).fault = fault;
  const ports = { ...fakePorts({ nodePools: { pools: [of], nodes }, ...moments }), commands: hosts };

  function turn(): void {
    hosts.turn();
    for (const name of names) {
      const at = ports.nodePools.node(name);
      const { isUp } = hosts.host(instanceOfNode(name));
      if (at.node !== null && at.node.ready !== isUp) {
        ports.nodePools.putNode({ ...at, node: { ...at.node, ready: isUp } });
      }
    }
  }

  return { ports, hosts, turn };
}
