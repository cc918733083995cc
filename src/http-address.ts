/** The origin of what listens there. The address of IPv6 stands in brackets, since its colons would be taken for that of the port. */
export const httpAddress = (host: string, port: number | string): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
