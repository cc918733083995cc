import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** Attributes of a tag; a value may hold any sign but its quotation mark. */
const ATTRIBUTES = String.raw`(?:"[^"]*"|'[^']*'|[^"'>])*`;
const PART = /^word\/[^/]+\.xml$/;
const MEDIA = /^word\/(?:media|embeddings|fonts)\//;
const SIMPLE_FIELD = new RegExp(String.raw`</?w:fldSimple(?![\w.-])${ATTRIBUTES}>`, 'g');
/** Text that is formatted as hidden, unless the format is switched off. */
const HIDDEN = /<w:vanish(?:\s+w:val\s*=\s*["'](?!0|false|off)\w+["'])?\s*(?:\/>|>\s*<\/w:vanish>)/g;
const STYLE = new RegExp(String.raw`<w:style(?![\w.-])(${ATTRIBUTES})>([^]*?)</w:style>`, 'g');
const STYLE_ID = /w:styleId\s*=\s*["']([^"']*)["']/;

/** A highlighting that Word does not have: `mammoth` reads how text is highlighted, but not that it is hidden. */
export const HIDDEN_MARK = 'hidden';

/** A document prepared for `mammoth`, and the styles of text that Word does not show. */
export interface PreparedDocx {
  buffer: Buffer;
  hiddenStyles: ReadonlySet<string>;
}

/**
 * Marks hidden text, and keeps what simple fields show (a property, a page, a date), which `mammoth` drops with the field. Pictures are left out.
 * Throws if the content is no archive.
 */
export function prepared(content: Uint8Array): PreparedDocx {
  const parts = unzipSync(content, { filter: ({ name }) => !MEDIA.test(name) });
  const hiddenStyles = new Set<string>();
  for (const name of Object.keys(parts).filter((each) => PART.test(each))) {
    const xml = strFromU8(parts[name] ?? new Uint8Array());
    for (const [, attributes = '', style = ''] of name === 'word/styles.xml' ? xml.matchAll(STYLE) : [])
      if (style.search(HIDDEN) >= 0) hiddenStyles.add(STYLE_ID.exec(attributes)?.[1] ?? '');
    parts[name] = strToU8(xml.replace(SIMPLE_FIELD, '').replace(HIDDEN, `<w:highlight w:val="${HIDDEN_MARK}"/>`));
  }
  return { buffer: Buffer.from(zipSync(parts, { level: 0 })), hiddenStyles };
}
