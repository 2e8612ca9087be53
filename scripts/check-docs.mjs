// The documents, checked: every link leads somewhere, every id that a test carries is explained, once, and the version has its entry.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { anchors, withoutCode } from './lib/markdown.mjs';
import { ROOT } from './lib/steps.mjs';

/** Where ids are explained: as the first thing of a table row or a line, in bold. */
const EXPLAINED_IN = ['docs/field-reports.md', 'docs/requirements.md'];
const EXPLANATION = /^(?:\| )?\*\*([A-Z]\d+[a-z]?)\*\*/gm;
/** An id in a test's title, alone or in a list, as in 'B05 …' or '… (R42, D1)'. */
const ID = /(?<![\w-])[BDRT]\d{1,3}[a-z]?(?![\w-])/g;

const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');
const found = [...documents().flatMap(brokenLinks), ...ids(), ...version()];
for (const line of found) console.log(line);
if (found.length > 0) process.exitCode = 1;

function documents() {
  return ['README.md', 'CHANGELOG.md', ...readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
}

function brokenLinks(document) {
  const targets = [...withoutCode(read(document)).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target);
  // A link's text may be code, which withoutCode took away; the target is still there.
  return targets.filter((target) => !/^[a-z]+:/.test(target)).flatMap((target) => {
    const [file, anchor] = target.split('#');
    const full = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
    if (!existsSync(path.join(ROOT, full))) return [`${document}: ${target} leads nowhere`];
    if (anchor !== undefined && full.endsWith('.md') && !anchors(read(full)).has(anchor)) return [`${document}: ${target} has no such heading`];
    return [];
  });
}

function ids() {
  const explained = EXPLAINED_IN.filter((file) => existsSync(path.join(ROOT, file))).flatMap((file) => [...read(file).matchAll(EXPLANATION)].map(([, id]) => id));
  const twice = explained.filter((id, index) => explained.indexOf(id) !== index);
  const used = usedIds();
  const unexplained = [...used].filter(([id]) => !explained.includes(id));
  return [
    ...twice.map((id) => `${id} is explained twice in ${EXPLAINED_IN.join(' and ')}`),
    ...unexplained.map(([id, file]) => `${file}: ${id} is explained in none of ${EXPLAINED_IN.join(', ')}`),
  ];
}

/** Each id in a string or comment of a test, with the first file that has it. */
function usedIds() {
  const used = new Map();
  const files = readdirSync(path.join(ROOT, 'test'), { recursive: true }).map((name) => `test/${name.split(path.sep).join('/')}`);
  for (const file of files.filter((name) => /\.(ts|bash|zsh|fish|txt)$/.test(name) && !name.startsWith('test/scripts/')).sort()) {
    for (const [id] of titles(file, read(file)).matchAll(ID)) if (!used.has(id)) used.set(id, file);
  }
  return used;
}

/** The lines in which an id can stand for a case: titles and comments. Commands and outputs may hold anything. */
function titles(file, text) {
  const marks = file.endsWith('.ts') ? /^\s*(?:\/\/|\*|(?:test|it|describe)\b)|^\s*(?:id|title|name|cases?): |^\s*\[?'[BDRT]\d/ : /^#/;
  return text.split('\n').filter((line) => marks.test(line)).join('\n');
}

function version() {
  const { version } = JSON.parse(read('package.json'));
  return read('CHANGELOG.md').includes(`## [${version}]`) ? [] : [`CHANGELOG.md: no entry for ${version}`];
}
