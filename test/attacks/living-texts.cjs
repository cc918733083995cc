/** Loaded into processes of the canary test by `NODE_OPTIONS=--require`: says which words the heap still holds once garbage is collected. */
const v8 = require('node:v8');

const MAX_WORD_LENGTH = 100;
/** Found like the others, which shows that words are found. */
const held = [];

/** @returns the places of the words that are there */
async function living(words) {
  const found = new Set();
  let rest = Buffer.alloc(0);
  for await (const chunk of v8.getHeapSnapshot()) {
    const bytes = Buffer.concat([rest, Buffer.from(chunk)]);
    words.forEach((word, place) => bytes.includes(word) && found.add(place));
    rest = bytes.subarray(-MAX_WORD_LENGTH);
  }
  return [...found];
}

if (process.channel) {
  process.on('message', async ({ hold, halves }) => {
    if (hold) held.push(hold.join(''));
    // They come in halves, and are put together outside the heap, so that the question is not what is found.
    const words = halves.map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));
    // V8 keeps the text that was matched last: any work replaces it.
    /word/.exec('word');
    process.send(await living(words));
  });
  // Listening must not keep a process alive that wants to end.
  process.channel.unref();
}
