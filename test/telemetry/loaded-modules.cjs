/** Preloaded: tells which modules whose path holds a text this process has loaded. */
if (process.channel) {
  process.on('message', ({ loaded }) => process.send(Object.keys(require.cache).filter((path) => path.includes(loaded))));
  // Listening must not keep a process alive that wants to end.
  process.channel.unref();
}
