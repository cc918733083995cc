import { relative } from 'node:path';
import type { Service } from './service';
import { shellWord } from './shell-word';

/** The first hints for a person who started the embedded default. The key itself is shown once, when it is created. */
export function welcome({ address, firstKey }: Service, basePath: string): string {
  const base = address + basePath;
  const file = firstKey?.file && relative(process.cwd(), firstKey.file);
  const key = file ? `$(cat ${shellWord(file)})` : firstKey ? '$BOOTSTRAP_API_KEY' : '$API_KEY';
  const lines = [`research-threads answers at ${base}`];
  if (firstKey?.created) lines.push(`API key, shown this once and kept in ${file}: ${firstKey.keyText}`);
  else if (file) lines.push(`The API key lies in ${file}`);
  else if (firstKey) lines.push('The API key is the one in BOOTSTRAP_API_KEY');
  else lines.push('No API key is made for a database of yours: npm run --silent research -- keys create --tenant <tenant>');
  lines.push(
    'Try:',
    `  curl -s ${base}/v1/threads -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '{"message":"How does Fastify handle an error thrown in a hook?"}'`,
    'Ctrl-C stops it.',
  );
  return `${lines.join('\n')}\n`;
}
