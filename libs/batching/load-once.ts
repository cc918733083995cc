/**
 * Loads when it is first asked, and only then. A failure is not remembered: a module that could not be read while no file could be opened is read
 * by the next call.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | null = null;
  return () => {
    if (loaded) return loaded;
    const loading = load();
    loaded = loading;
    loading.catch(() => (loaded = null));
    return loading;
  };
}
