/** Fetches the next item while the current one is used. An error is thrown only when its item's turn comes. */
export async function* oneAhead<Item>(source: AsyncGenerator<Item, void>): AsyncGenerator<Item, void, undefined> {
  const fetch = () => {
    const next = source.next();
    next.catch(() => undefined);
    return next;
  };
  try {
    for (let next = fetch(); ;) {
      const result = await next;
      if (result.done) return;
      next = fetch();
      yield result.value;
    }
  } finally {
    await source.return(undefined);
  }
}
