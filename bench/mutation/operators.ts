import ts from 'typescript';

/** One small change of a text: what stands from `start` to `end` becomes `replacement`. */
export interface Change {
  operator: string;
  start: number;
  end: number;
  replacement: string;
}

const SWAPPED_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
  '&&=': ['='],
};
const SWAPPED_METHODS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
]);
/** Methods that return the same kind of value as their receiver, so that a mutant can replace the call with the receiver. */
const LEFT_OUT_METHODS: ReadonlySet<string> = new Set(['filter', 'slice', 'sort', 'toSorted', 'reverse', 'toReversed', 'trim']);
const COMPARISONS: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '===', '!==', '&&', '||']);

/** Every change of this node itself, without those of the nodes in it. */
export function changesOf(node: ts.Node): Change[] {
  const change = (operator: string, at: ts.Node, replacement: string): Change => ({
    operator,
    start: at.getStart(),
    end: at.end,
    replacement,
  });
  if (ts.isBinaryExpression(node)) return ofBinary(node, change);
  if (ts.isCallExpression(node)) return ofCall(node, change);
  if (ts.isPrefixUnaryExpression(node)) return ofPrefix(node, change);
  if (ts.isStringLiteralLike(node)) return [change('string', node, node.text === '' ? `'mutated'` : `''`)];
  if (ts.isTemplateExpression(node)) return [change('string', node, '``')];
  if (ts.isArrayLiteralExpression(node)) return node.elements.length > 0 ? [change('array', node, '[]')] : [];
  if (ts.isObjectLiteralExpression(node)) return node.properties.length > 0 ? [change('object', node, '{}')] : [];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [change('boolean', node, 'false')];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [change('boolean', node, 'true')];
  if (ts.isIfStatement(node)) return constants(node.expression, change);
  if (ts.isConditionalExpression(node)) return constants(node.condition, change);
  if (ts.isWhileStatement(node)) return [change('condition', node.expression, 'false')];
  if (ts.isReturnStatement(node)) return node.expression ? ofResult(node.expression, change) : [];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return ofResult(node.body, change);
  return ofOptionalChain(node);
}

type MakeChange = (operator: string, at: ts.Node, replacement: string) => Change;

const constants = (condition: ts.Expression, change: MakeChange): Change[] =>
  ['true', 'false'].filter((value) => value !== condition.getText()).map((value) => change('condition', condition, value));

/** A result that is a literal is changed by its own rule. */
function ofResult(result: ts.Expression, change: MakeChange): Change[] {
  const bare = withoutParentheses(result);
  if (ts.isBinaryExpression(bare) && COMPARISONS.has(bare.operatorToken.getText())) return constants(result, change);
  const isLiteral =
    ts.isLiteralExpression(bare) ||
    ts.isArrayLiteralExpression(bare) ||
    ts.isObjectLiteralExpression(bare) ||
    ts.isTemplateExpression(bare) ||
    ts.isPrefixUnaryExpression(bare) ||
    ts.isVoidExpression(bare);
  const isConstant = ['undefined', 'null', 'true', 'false'].includes(bare.getText());
  return isLiteral || isConstant ? [] : [change('result', result, 'undefined')];
}

const withoutParentheses = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;

function ofBinary(node: ts.BinaryExpression, change: MakeChange): Change[] {
  const { left, right, operatorToken } = node;
  // Another operator in its place would need parentheses beside a second `??`.
  if (operatorToken.getText() === '??') return [left, right].map((side) => change('operator', node, `(${side.getText()})`));
  const joinsText =
    operatorToken.getText() === '+' && [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  const swapped = joinsText ? [] : (SWAPPED_OPERATORS[operatorToken.getText()] ?? []);
  return swapped.map((operator) => change('operator', operatorToken, operator));
}

function ofPrefix(node: ts.PrefixUnaryExpression, change: MakeChange): Change[] {
  const { operator, operand } = node;
  if (operator === ts.SyntaxKind.ExclamationToken) return [change('negation', node, operand.getText())];
  if (operator === ts.SyntaxKind.MinusToken) return [change('operator', node, `+${operand.getText()}`)];
  return [];
}

function ofCall(node: ts.CallExpression, change: MakeChange): Change[] {
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee)) return ofOptionalChain(node);
  const name = callee.name.text;
  const swapped = SWAPPED_METHODS.get(name);
  const changes = [...ofOptionalChain(node)];
  if (swapped) changes.push(change('method', callee.name, swapped));
  if (LEFT_OUT_METHODS.has(name)) changes.push(change('method', node, callee.expression.getText()));
  return changes;
}

function ofOptionalChain(node: ts.Node): Change[] {
  const chained = ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) || ts.isCallExpression(node);
  if (!chained || !node.questionDotToken) return [];
  const { questionDotToken: token } = node;
  return [{ operator: 'optional', start: token.getStart(), end: token.end, replacement: ts.isPropertyAccessExpression(node) ? '.' : '' }];
}
