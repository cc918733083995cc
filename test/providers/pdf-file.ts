import { deflateSync } from 'node:zlib';

export interface PdfLine {
  text: string;
  /** In points; 12 by default. */
  size?: number;
  /** Lines left empty before it. */
  gap?: number;
  /** Its place, in points from the left and from the bottom; by default at the left edge, below the line before. */
  x?: number;
  y?: number;
}

/** A PDF of uncompressed text in Helvetica, one list of lines for each page. */
export function pdfOf(pages: readonly (readonly PdfLine[])[], { title = '', encrypted = false } = {}): Buffer {
  const first = 4;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${first + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, at) => {
      const content = contentOf(lines);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + at * 2 + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    `<< /Title (${title}) >>`,
    ...(encrypted ? [`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`] : []),
  ];
  const info = first + pages.length * 2;
  const encryption = encrypted ? ` /Encrypt ${info + 1} 0 R /ID [<00> <00>]` : '';
  return pdfFile(objects, `/Root 1 0 R /Info ${info} 0 R${encryption}`);
}

function pdfFile(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const xref = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  file += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

function contentOf(lines: readonly PdfLine[]): string {
  let y = 740;
  const shown = lines.map(({ text, size = 12, gap = 0, x = 72, y: own }) => {
    if (own === undefined) y -= size * 1.2 * (1 + gap);
    return `/F1 ${size} Tf 1 0 0 1 ${x} ${(own ?? y).toFixed(1)} Tm (${text.replace(/[()\\]/g, '\\$&')}) Tj`;
  });
  return `BT\n${shown.join('\n')}\nET`;
}

/** A PDF of one page and one or two kilobytes, whose content inflates to so many megabytes of a repeated text. */
export function pdfBomb(text: string, megabytes: number, { before = '', after = '' } = {}): Buffer {
  const content = Buffer.concat([Buffer.from(before), Buffer.alloc(megabytes * 1024 * 1024, text), Buffer.from(after)]);
  const packed = deflateSync(deflateSync(content, { level: 9 }), { level: 9 });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>',
    `<< /Length ${packed.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${packed.toString('latin1')}\nendstream`,
  ];
  return pdfFile(objects, '/Root 1 0 R');
}
