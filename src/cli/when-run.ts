/** The action of a command, loaded only when it runs: most need libraries that take longer to load than the parsing and the help texts. */
export const whenRun =
  <Parameters extends unknown[]>(load: () => Promise<(...parameters: Parameters) => unknown>) =>
  async (...parameters: Parameters): Promise<void> => {
    const command = await load();
    await command(...parameters);
  };
