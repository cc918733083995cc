export const INDEFINITE_ARTICLES: ReadonlySet<string> = new Set(['a', 'an']);
export const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);
