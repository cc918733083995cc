/** How the content of a directive is read. */
export type DirectiveKind = 'code' | 'left out' | 'list-table' | 'csv-table' | 'text' | 'term';

const CODE = new Set(['code', 'code-block', 'sourcecode', 'prompt', 'parsed-literal', 'doctest', 'testcode', 'console', 'ipython']);
/** They show no text of their own, or another document's. */
const LEFT_OUT = new Set(
  `contents toctree sectnum image include literalinclude raw math index highlight default-role role meta module currentmodule py:module py:currentmodule
program rst-class default-domain tabularcolumns grid automodule autoclass autofunction automethod autoattribute autodata autoexception autosummary graphviz plantuml mermaid bibliography testsetup testcleanup`.split(
    /\s/,
  ),
);
/** Their argument belongs to the text below it. */
const TEXT = new Set(
  `note warning tip important caution danger attention hint error admonition seealso todo versionadded versionchanged deprecated versionremoved topic
sidebar rubric centered epigraph highlights pull-quote compound container class only figure table dropdown tab-set tab-item tabs tab group-tab details
glossary hlist productionlist parsed line-block`.split(/\s/),
);
const VERSIONS: ReadonlyMap<string, string> = new Map([
  ['versionadded', 'Added in version'],
  ['versionchanged', 'Changed in version'],
  ['deprecated', 'Deprecated since version'],
  ['versionremoved', 'Removed in version'],
]);
/** Their argument is no text: a file, a class of a style sheet, the name of a builder. */
const NO_TEXT_ARGUMENT = new Set(['figure', 'class', 'only', 'container', 'glossary', 'hlist', 'tab-set', 'tabs', 'productionlist']);

/** A directive that is not known describes what its argument names, as `option` and `function` do. */
export function directiveKind(name: string): DirectiveKind {
  if (CODE.has(name)) return 'code';
  if (LEFT_OUT.has(name)) return 'left out';
  if (name === 'list-table' || name === 'csv-table') return name;
  return TEXT.has(name) ? 'text' : 'term';
}

/** What the argument of a directive says; `version` is the first word of it: "Added in version 2.4". */
export function argumentText(name: string, argument: string): string {
  const version = VERSIONS.get(name);
  if (version === undefined) return NO_TEXT_ARGUMENT.has(name) ? '' : argument;
  const [number = '', ...rest] = argument.split(' ');
  return `${version} ${number}${rest.length > 0 ? `: ${rest.join(' ')}` : '.'}`;
}
