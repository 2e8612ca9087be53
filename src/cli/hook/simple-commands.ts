// The simple commands of a line, read as roughly as bash, PowerShell and cmd agree on it: nobody tells which of them it is for.

/** What ends a command, what ends a word, what ends the words of interest, what belongs together, and everything else. */
const TOKEN = /(?<end>[\n;&|()`]+)|(?<blank>\s+)|(?<redirection>[<>])|"(?<double>(?:\\.|[^"\\])*)"|'(?<single>[^']*)'|(?<other>.)/gsu;
/** Text for a program may follow: lines of it are no commands. */
const HAS_DOCUMENT = /<<|@["']/;

/** The words of each simple command, without quotes, up to its first redirection. */
export function simpleCommands(text: string): string[][] {
  const readable = HAS_DOCUMENT.test(text) ? (text.trimStart().split('\n', 1)[0] ?? '') : text;
  const commands: Words[] = [new Words()];
  for (const { groups = {} } of readable.matchAll(TOKEN)) {
    const { end, blank, redirection, double, single, other } = groups;
    const words = commands.at(-1);
    if (end !== undefined) commands.push(new Words());
    else if (blank !== undefined) words?.endWord();
    else if (redirection !== undefined) words?.close();
    else words?.add(double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? other ?? '');
  }
  return commands.map(({ done }) => done).filter((words) => words.length > 0);
}

/** The words of one command while they are read. */
class Words {
  readonly done: string[] = [];
  #isInWord = false;
  #isClosed = false;

  /** Quotes make a word even around nothing. */
  add(text: string): void {
    if (this.#isClosed) return;
    if (!this.#isInWord) this.done.push('');
    this.#isInWord = true;
    this.done[this.done.length - 1] += text;
  }

  endWord(): void {
    this.#isInWord = false;
  }

  close(): void {
    this.#isClosed = true;
  }
}
