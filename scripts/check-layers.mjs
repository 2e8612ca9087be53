// The shape of src/, proved: imports only point down, pure folders stay pure, each outside package has one home, files stay small.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { ROOT } from './lib/steps.mjs';

/** From the top down. A folder may import from rows below its own, and from itself. */
const LAYERS = [
  ['cli.ts'],
  ['cli'],
  ['app.ts', 'mcp', 'install'],
  ['tools'],
  ['session', 'task'],
  ['discovery'],
  ['waiting', 'audit'],
  ['policy', 'output', 'config'],
  ['process'],
  ['shell', 'terminal', 'syntax'],
  ['lib'],
  ['errors.ts'],
];
const PURE = new Set(['shell', 'terminal', 'syntax', 'lib', 'errors.ts']);
/** Parts of Node that only compute. */
const PURE_MODULES = new Set(['node:buffer', 'node:path', 'node:string_decoder', 'node:util']);
/** Names that reach the clock, chance or the process. */
const IMPURE_GLOBALS = new Set(['process', 'performance', 'crypto', 'console', 'setTimeout', 'setInterval', 'setImmediate', 'fetch']);
/** Modules that only one folder knows. */
const HOMES = [
  { folder: 'process', isOne: (name) => name === 'node-pty' || name.startsWith('node-pty/') || name === 'node:child_process' },
  { folder: 'mcp', isOne: (name) => name.startsWith('@modelcontextprotocol/') },
  { folder: 'terminal', isOne: (name) => name.startsWith('@xterm/') },
  { folder: 'lib', isOne: (name) => name === 're2js' },
  { folder: 'syntax', isOne: (name) => name === 'unbash' },
];
const MAX_LINES = 300;

const LEVEL = new Map(LAYERS.flatMap((names, level) => names.map((name) => [name, level])));

/**
 * Everything that is wrong in a source tree, as lines of the form `src/a/b.ts:12 what`.
 * @param {string} source the absolute path of src/
 * @returns {string[]}
 */
export function findViolations(source) {
  const files = readdirSync(source, { recursive: true })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const parsed = files.map((file) => parse(source, file));
  return [...parsed.flatMap((file) => checkFile(source, file)), ...findCycles(parsed)];
}

function parse(source, file) {
  const text = readFileSync(path.join(source, file), 'utf8');
  return { file, folder: file.split('/')[0], text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
}

function checkFile(source, { file, folder, text, tree }) {
  const found = [];
  const report = (node, what) => found.push(`src/${file}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1} ${what}`);
  const lines = text.split('\n').length - 1;
  if (lines > MAX_LINES) found.push(`src/${file}:${lines} has ${lines} lines; ${MAX_LINES} is the most`);
  if (!text.replace(/^#!.*\n/, '').startsWith('//')) found.push(`src/${file}:1 does not start with a comment that says what the file is for`);
  if (!LEVEL.has(folder)) found.push(`src/${file}:1 is in no layer; give "${folder}" a row in scripts/check-layers.mjs`);
  if (path.posix.basename(file) === 'index.ts') found.push(`src/${file}:1 is an index file; import the file that has the thing`);
  for (const statement of tree.statements) checkStatement(statement, report);
  for (const { name, node } of importsOf(tree)) checkImport(source, file, folder, name, (what) => report(node, what));
  if (PURE.has(folder)) checkPurity(tree, report);
  if (folder !== 'process') checkProc(tree, report);
  return found;
}

function checkStatement(statement, report) {
  if (ts.isExportAssignment(statement)) report(statement, 'has a default export');
  if (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined) report(statement, 're-exports');
  if (ts.getModifiers?.(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) report(statement, 'has a default export');
}

/** Every module named by import, export … from and import(). */
function importsOf(tree) {
  const found = [];
  visit(tree, (node) => {
    const named = (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments[0]
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    if (named !== undefined && ts.isStringLiteral(named)) found.push({ name: named.text, node, isType: isTypeOnly(node) });
  });
  return found;
}

/** Gone after compilation. */
function isTypeOnly(node) {
  if (ts.isImportTypeNode(node)) return true;
  return (ts.isImportDeclaration(node) && node.importClause?.isTypeOnly === true) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function checkImport(source, file, folder, name, report) {
  if (name.startsWith('.')) {
    checkOwnImport(source, file, folder, name, report);
    return;
  }
  const home = HOMES.find(({ isOne }) => isOne(name));
  if (home !== undefined && home.folder !== folder) report(`imports ${name}, which only ${home.folder}/ may know`);
  if (PURE.has(folder) && name.startsWith('node:') && !PURE_MODULES.has(name)) report(`imports ${name}, but ${folder} is pure`);
  if (!name.startsWith('node:') && ts.JsTyping?.nodeCoreModules?.has(name)) report(`imports "${name}" without "node:"`);
}

function checkOwnImport(source, file, folder, name, report) {
  const target = path.posix.join(path.posix.dirname(file), name);
  if (target.startsWith('..')) {
    if (target !== '../package.json') report(`imports ${name}, which is outside src/`);
    return;
  }
  if (!name.endsWith('.ts')) report(`imports ${name}: our own files are named with ".ts"`);
  else if (!existsSync(path.join(source, target))) report(`imports ${name}, which is not there`);
  const targetFolder = target.split('/')[0];
  if (targetFolder === folder) return;
  const [from, to] = [LEVEL.get(folder), LEVEL.get(targetFolder)];
  if (from !== undefined && to !== undefined && to <= from) report(`imports ${name}: ${targetFolder} is ${to === from ? 'beside' : 'above'} ${folder}, and imports only point down`);
}

function checkPurity(tree, report) {
  visit(tree, (node) => {
    if (ts.isIdentifier(node) && IMPURE_GLOBALS.has(node.text) && isUseOfGlobal(node)) report(node, `uses ${node.text}, but this folder is pure`);
    if (ts.isPropertyAccessExpression(node) && ['Date.now', 'Math.random'].includes(node.getText(tree))) report(node, `uses ${node.getText(tree)}, but this folder is pure`);
    if (ts.isNewExpression(node) && node.expression.getText(tree) === 'Date' && !node.arguments?.length) report(node, 'reads the clock, but this folder is pure');
  });
}

/** Not a property, a parameter or a member that happens to have the name. */
function isUseOfGlobal(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isCallExpression(parent)) return true;
  return false;
}

function checkProc(tree, report) {
  visit(tree, (node) => {
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateHead(node);
    if (isText && node.text.startsWith('/proc/')) report(node, 'reads /proc, which only process/ may');
  });
}

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

/** Files that import one another in a ring, each ring once. Types alone may go in a ring: nothing is loaded for them. */
function findCycles(parsed) {
  const targets = new Map(parsed.map(({ file, tree }) => [file, importsOf(tree)
    .filter(({ name, isType }) => name.startsWith('.') && !isType)
    .map(({ name }) => path.posix.join(path.posix.dirname(file), name))]));
  const done = new Set();
  const found = [];
  const walk = (file, trail) => {
    const at = trail.indexOf(file);
    if (at >= 0) found.push(`src/${file}:1 is in a ring of imports: ${[...trail.slice(at), file].join(' > ')}`);
    if (at >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) walk(file, []);
  return found;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findViolations(path.join(ROOT, 'src'));
  for (const line of found) console.log(line);
  if (found.length > 0) process.exitCode = 1;
}
