/** Has the next one fetched while one is used. What fails is thrown when its turn comes. */
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
