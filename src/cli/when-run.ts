/** The action of a command that is loaded when it runs: most need libraries that take longer to load than all that is parsed and helped with here. */
export const whenRun =
  <Parameters extends unknown[]>(load: () => Promise<(...parameters: Parameters) => unknown>) =>
  async (...parameters: Parameters): Promise<void> => {
    const command = await load();
    await command(...parameters);
  };
