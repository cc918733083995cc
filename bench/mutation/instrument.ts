import ts from 'typescript';
import { changesOf, type Change } from './operators';

/** A change of one file that a test should notice. */
export interface Mutant {
  file: string;
  /** Its number in the file. */
  index: number;
  line: number;
  operator: string;
  original: string;
  replacement: string;
}

export interface Instrumented {
  /** The file with all its mutants in it; `globalThis.mutation` says which one is on. Lines keep their numbers. */
  text: string;
  mutants: Mutant[];
}

/** Puts every mutant of a file behind a switch, so that one transformation serves them all. */
export function instrument(file: string, source: string): Instrumented {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  /** What stands behind a switch, by the node that is switched. */
  const switched = new Map<ts.Node, { index: number; text: string }[]>();
  const left = new Map<ts.Node, number>();
  const add = (change: Change): number => {
    const index = mutants.length;
    const line = tree.getLineAndCharacterOfPosition(change.start).line + 1;
    const original = source.slice(change.start, change.end);
    mutants.push({ file, index, line, operator: change.operator, original, replacement: change.replacement });
    return index;
  };
  const collect = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    for (const change of changesOf(node)) {
      const anchor = anchorOf(node, change);
      if (!anchor) continue;
      const text = source.slice(anchor.getStart(), change.start) + change.replacement + source.slice(change.end, anchor.end);
      switched.set(anchor, [...(switched.get(anchor) ?? []), { index: add(change), text }]);
    }
    if (isLeftOut(node)) left.set(node, add({ operator: 'left out', start: node.getStart(), end: node.end, replacement: '' }));
    node.forEachChild(collect);
  };
  collect(tree);
  const emit = (node: ts.Node): string => {
    let text = '';
    let position = node.getStart();
    const children: ts.Node[] = [];
    node.forEachChild((child) => void children.push(child));
    for (const child of children.sort((one, other) => one.pos - other.pos)) {
      text += source.slice(position, child.getStart()) + emit(child);
      position = child.end;
    }
    text += source.slice(position, node.end);
    for (const { index, text: other } of switched.get(node) ?? []) text = `(__mutant(${index}) ? (${other}) : (${text}))`;
    const index = left.get(node);
    if (index === undefined) return text;
    return ts.isBlock(node) ? `{ if (!__mutant(${index})) ${text} }` : `{ if (!__mutant(${index})) { ${text} } }`;
  };
  const head = source.slice(0, tree.getStart());
  return { text: `const __mutant = globalThis.mutation(${JSON.stringify(file)}); ${head}${emit(tree)}`, mutants };
}

/** Types, names and modules have no value to change. What is logged is for people, and its wording is not tested. */
function isLeftAlone(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isDecorator(node)) return true;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isHeritageClause(node)) return true;
  if (ts.isStringLiteralLike(node) && (isName(node) || ts.isExpressionStatement(node.parent))) return true;
  if (!ts.isCallExpression(node)) return false;
  const callee = node.expression.getText();
  return callee === 'import' || callee === 'killPoint' || /\blogger\??\.\w+$/.test(callee);
}

const isName = (node: ts.Node): boolean => {
  const { parent } = node;
  return (
    (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) || ts.isTaggedTemplateExpression(parent)) &&
    parent.getChildAt(0) === node
  );
};

/** Whether the mutant leaves the node out: calls made for their effect, and blocks of more than one such call. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.isBlock(node)) return !isOneCall(node) && node.statements.length > 0 && !node.statements.some(callsSuper);
  return isEffect(node) && !callsSuper(node) && !/\blogger\??\.\w+\(|\bkillPoint\(/.test(node.getText().slice(0, 80));
}

const isOneCall = ({ statements }: ts.Block): boolean => statements.length === 1 && statements.every(isEffect);

function isEffect(node: ts.Node): boolean {
  if (!ts.isExpressionStatement(node)) return false;
  const expression =
    ts.isAwaitExpression(node.expression) || ts.isVoidExpression(node.expression) ? node.expression.expression : node.expression;
  return ts.isCallExpression(expression);
}

const callsSuper = (node: ts.Node): boolean => node.getText().startsWith('super(');

/** The nearest expression around a change that can be put in parentheses without a change of its meaning. */
function anchorOf(node: ts.Node, { start, end }: Change): ts.Node | null {
  let anchor: ts.Node | undefined = node;
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) anchor = node.expression;
  else if (ts.isConditionalExpression(node) && end <= node.condition.end && start >= node.condition.getStart()) anchor = node.condition;
  else if (ts.isReturnStatement(node)) anchor = node.expression;
  else if (ts.isArrowFunction(node)) anchor = node.body;
  while (anchor && !canBeSwitched(anchor)) anchor = ts.isStatement(anchor) || ts.isSourceFile(anchor) ? undefined : anchor.parent;
  return anchor ?? null;
}

function canBeSwitched(node: ts.Node): boolean {
  if (!ts.isExpression(node) || ts.isTypeNode(node)) return false;
  const { parent } = node;
  const isChained = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent) || ts.isCallExpression(parent);
  // The callee keeps its `this`, and what is in an optional chain ends with the chain.
  if (isChained && parent.expression === node && (ts.isCallExpression(parent) || (parent.flags & ts.NodeFlags.OptionalChain) !== 0))
    return false;
  if (ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent)) return false;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (
    ts.isTaggedTemplateExpression(parent) ||
    ts.isTemplateSpan(node) ||
    ts.isSpreadElement(node) ||
    ts.isShorthandPropertyAssignment(parent)
  )
    return false;
  if (ts.isPrefixUnaryExpression(parent) && [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(parent.operator))
    return false;
  return !ts.isDeleteExpression(parent) && !ts.isPostfixUnaryExpression(parent) && !ts.isOmittedExpression(node);
}

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
