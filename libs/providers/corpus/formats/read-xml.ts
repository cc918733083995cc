import { Parser } from 'htmlparser2';

/** Calls back for each element of a part, whatever its prefix, and at its end with the text since the last tag. */
export function readXml(
  part: Uint8Array | undefined,
  open: (name: string, attributes: Readonly<Record<string, string>>) => void,
  close: (name: string, text: string) => void = () => undefined,
): void {
  const bare = (name: string): string => name.slice(name.indexOf(':') + 1);
  let said = '';
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        said = '';
        open(bare(name), attributes);
      },
      ontext: (text) => void (said += text),
      onclosetag: (name) => {
        close(bare(name), said);
        said = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(new TextDecoder().decode(part));
}
