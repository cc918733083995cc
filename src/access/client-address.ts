import ipaddr from 'ipaddr.js';

/** An address with a port, as some proxies write it into X-Forwarded-For. The port is dropped, or each connection would count as another client. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([\d.]+)):\d+$/i;

/** The address without its port; null if the text is no address. An IPv4-mapped IPv6 address is returned as IPv4. */
export function parseAddress(given: string): ReturnType<typeof ipaddr.process> | null {
  const [, version6, version4] = WITH_PORT.exec(given) ?? [];
  const address = version6 ?? version4 ?? given;
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
