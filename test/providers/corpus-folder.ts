import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of documents with the given contents by path, in a temporary place of its own. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>, links: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
  return folder;
}

/** Documentation of a program that does not exist. */
export const WREN_DOCUMENTS = {
  'wren/guide.md': `---
title: front matter is no text
---
# Wren guide

Wren is a logging daemon for small servers.

## Log rotation

Wren rotates its log files at midnight, or as soon as a file reaches \`maxBytes\`. Rotated files are
compressed with [zstd](https://example.org/zstd) in the background.

- The option \`keepFiles\` says how many rotated log files Wren keeps; the default is 14.
- A rotation that fails is tried again after one minute. This is never done more than *three* times.

\`\`\`yaml
# rotate log files in Wren
rotation: { keepFiles: 7 }
\`\`\`

Table of limits
---------------

| option | limit of log rotation |
| --- | --- |
| keepFiles | Wren refuses to keep more than 999 rotated log files |
`,
  'wren/network.md': `# Wren network

> Wren listens on port 7070 by default and refuses connections
> without a client certificate.

See the rotation of log files in the guide. Does Wren rotate log files over the network?
`,
  'notes.txt': `Wren release notes

Wren 3 rotates log files without losing a single line, because the writer holds
both the old and the new file open [1] while it switches.
`,
  'manual/page.html': `<!doctype html><html><head><title>Wren manual</title><style>.rotate{}</style></head>
<body><nav>rotate log files menu</nav>
<h1>Wren manual</h1>
<h2>Signals &amp; rotation</h2>
<p>Sending <code>SIGHUP</code> to Wren rotates its log files
at once, &lt;without&gt; waiting for midnight.</p>
<script>rotate("log files of Wren in a script")</script>
</body></html>`,
};

/** So many documents that what is only near to a question is not taken for its answer. */
export const MANY_DOCUMENTS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 100 }, (_, at) => [`stone-${String(at)}.md`, `# Stone ${String(at)}\n\nStone ${String(at)} is grey.\n`]),
);
