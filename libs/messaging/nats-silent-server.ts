import { NodeTransport } from 'nats/lib/src/node_transport';

const { close } = NodeTransport.prototype;

/**
 * Until a server has sent its greeting, the client's transport (nats 2.29.3) closes nothing when it is closed. With a server, or a load balancer, that
 * accepts connections and says nothing, each try would leave a socket open, until the process has no files left for its own clients.
 */
export function closeSilentSockets(): void {
  NodeTransport.prototype.close = function (this: NodeTransport, error?: Error): Promise<void> {
    if (!this.connected) (this.socket as NodeTransport['socket'] | undefined)?.destroy();
    return close.call(this, error);
  };
}
