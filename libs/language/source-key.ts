/** Parameters for tracking readers, which do not affect the page. */
const TRACKING = /^(?:utm_.*|fbclid|gclid|dclid|msclkid|yclid|mc_cid|mc_eid|igshid|srsltid)$/i;

/** Where a fragment names a page and not a place on it, as on sites that one program draws. */
const ROUTE = /^#!?\//;

/** The key of a source. Equal for URLs that differ only in the protocol, `www.`, a trailing slash, tracking parameters or a web page's fragment. */
export function sourceKey(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.hostname) return url;
  if (parsed.search !== '') {
    const parameters = [...parsed.searchParams];
    const kept = parameters.filter(([name]) => !TRACKING.test(name));
    // Written once: deleting them one by one writes the query again each time, which takes minutes for a hostile one.
    if (kept.length < parameters.length) parsed.search = new URLSearchParams(kept).toString();
  }
  const route = ROUTE.test(parsed.hash) ? parsed.hash.replace(/\/$/, '') : '';
  return `${siteOf(parsed)}${parsed.pathname.replace(/\/$/, '')}${parsed.search}${route}`;
}

/** The host of a URL with its port, without `www.`. */
export function siteOf({ host }: URL): string {
  return host.replace(/^www\./, '');
}
