import ipaddr from 'ipaddr.js';

/** With a port, as some proxies write it into X-Forwarded-For: each connection of a client would be another one. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([\d.]+)):\d+$/i;

/** The address alone; null for what is none. An address of version 4 that is written as one of version 6 is one of version 4. */
export function parseAddress(given: string): ReturnType<typeof ipaddr.process> | null {
  const [, version6, version4] = WITH_PORT.exec(given) ?? [];
  const address = version6 ?? version4 ?? given;
  return ipaddr.isValid(address) ? ipaddr.process(address) : null;
}
