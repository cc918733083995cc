/** One sample of Prometheus' text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** What a process tells at this moment. */
export async function scrape(address: string): Promise<Sample[]> {
  const response = await fetch(`${address}/metrics`);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = '', text = '']) => [label, text]);
    return { name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
  });
}

/** The sum of the samples that have these labels; 0 if there is none. */
export const sampleOf = (samples: readonly Sample[], name: string, labels: Record<string, string>): number =>
  samples
    .filter((sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
    .reduce((sum, { value }) => sum + value, 0);
