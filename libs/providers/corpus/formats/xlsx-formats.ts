import { collapseWhiteSpace } from '@lib/language/white-space';
import { format, isDateFormat } from 'numfmt';

import { readXml } from './read-xml';

/** Those that a workbook need not list, by ECMA-376 part 1, 18.8.30. Its formats for money have no currency of their own. */
const BUILT_IN: readonly [id: string, code: string][] = [
  ['9', '0%'],
  ['10', '0.00%'],
];
/** What the format of a number tells beside the number: per cent, a currency, or a word such as a unit. */
const TELLS_MORE = /%|\p{Sc}|"[^"]*\p{L}[^"]*"|\\\p{L}|\[\$[^\]-]/u;
/** Excel allows no longer ones. */
const MAX_LENGTH = 255;
/** A currency with the code of a language, which would choose the marks of thousands and decimals. */
const WITH_LANGUAGE = /\[\$([^\]-]*)-[^\]]*\]/g;

/** The formats of numbers that tell more than the number, by the position of a cell's style in `xl/styles.xml`. */
export function tellingFormats(styles: Uint8Array | undefined): ReadonlyMap<number, string> {
  const codes = new Map(BUILT_IN);
  const formats = new Map<number, string>();
  let [isOfCells, style] = [false, 0];
  readXml(styles, (name, { numFmtId = '', formatCode = '' }) => {
    if (name === 'numFmt') codes.set(numFmtId, formatCode);
    // A workbook also lists styles that cells may be derived from.
    else if (name === 'cellXfs' || name === 'cellStyleXfs') isOfCells = name === 'cellXfs';
    else if (name === 'xf' && isOfCells) {
      const code = codes.get(numFmtId) ?? '';
      if (code.length <= MAX_LENGTH && TELLS_MORE.test(code)) formats.set(style, code);
      style += 1;
    }
  });
  return formats;
}

/** A number as Excel shows it, with a point before decimals. Null if the format is of dates or no format, or shows nothing. */
export function shownNumber(value: number, code: string): string | null {
  try {
    if (isDateFormat(code)) return null;
    const neutral = code.replaceAll(WITH_LANGUAGE, (_, currency: string) => (currency === '' ? '' : `[$${currency}]`));
    return collapseWhiteSpace(format(neutral, value)) || null;
  } catch {
    return null;
  }
}
