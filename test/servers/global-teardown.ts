export default async (): Promise<void> => {
  await Promise.all([globalThis.testServers?.postgres.stop(), globalThis.testServers?.nats.stop()]);
};
