/** Parameters that say where a reader came from, not what the page shows. */
const TRACKING = /^(?:utm_.*|fbclid|gclid|dclid|msclkid|yclid|mc_cid|mc_eid|igshid|srsltid)$/i;

/** What makes two URLs the same source: everything but the protocol, `www.`, a trailing slash, tracking parameters and a web page's fragment. */
export function sourceKey(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed?.hostname) return url;
  if (parsed.search !== '') {
    const tracking = [...parsed.searchParams.keys()].filter((name) => TRACKING.test(name));
    for (const name of tracking) parsed.searchParams.delete(name);
  }
  return `${siteOf(parsed)}${parsed.pathname.replace(/\/$/, '')}${parsed.search}`;
}

/** The host of a URL with its port, without `www.`. */
export function siteOf({ host }: URL): string {
  return host.replace(/^www\./, '');
}
