export default (): Promise<void> | undefined => globalThis.testServers?.disposeAsync();
