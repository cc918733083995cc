import { ask } from './ask-corpus';
import { folderOf } from './corpus-folder';

const handbook = folderOf({
  'haus.md': '# Haus\n\n## Kaffeemühle\n\nDie Kaffeemühle wird täglich gereinigt. Der Schlüssel hängt am Empfang.\n',
  'tarifs.md': '# Tarifs\n\n## Livraison\n\nLa livraison coûte 25 euros en Suisse. Elle est gratuite à partir de 200 euros.\n',
  'garantia.md': '# Garantía\n\n## Devoluciones\n\nEl cliente puede devolver el producto en un plazo de 30 días.\n',
  '手册.md': '# 员工手册\n\n## 年假\n\n全职员工每年有二十天年假。\n',
  'notes.md': '# Notes\n\nA comment in the hat file is kept where the hat was.\n',
});

const reportOf = async (query: string): Promise<string> =>
  (await ask(handbook, { query })).markdown.split(/^## (?:Further|Sources)/m)[0] ?? '';

describe('a question in another language', () => {
  it.each([
    ['Wie oft wird die Kaffeemühle gereinigt?', 'Die Kaffeemühle wird täglich gereinigt.'],
    ['Wo hängt der Schlüssel?', 'Der Schlüssel hängt am Empfang.'],
    ['Combien coûte la livraison en Suisse ?', 'La livraison coûte 25 euros en Suisse.'],
    ['À partir de quand la livraison est-elle gratuite ?', 'Elle est gratuite à partir de 200 euros.'],
    ['¿En qué plazo puede el cliente devolver el producto?', 'El cliente puede devolver el producto en un plazo de 30 días.'],
    ['全职员工每年有多少天年假？', '全职员工每年有二十天年假。'],
  ])('is answered without the words that only ask it: %s', async (query, answer) => {
    const report = await reportOf(query);
    expect(report).toContain(answer);
    expect(report).not.toContain('do not cover');
  });

  it.each(['Wie oft wird der Teppich gereinigt?', 'Combien coûte le retour en Belgique ?', '¿Cuánto cuesta el envío?', '加班费怎么计算？'])(
    'is declined if no document tells it: %s',
    async (query) => expect(await reportOf(query)).toContain('These documents do not answer the question'),
  );

  it('is not made of an English one that begins alike', async () => {
    expect(await reportOf('Was there a carpet in the hat file?')).toContain('“carpet”');
    expect(await reportOf('Comment on hat files')).toContain('A comment in the hat file');
  });
});
