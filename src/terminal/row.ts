// The line that the cursor of a terminal is on, for the effect of CR, backspace and the codes that edit a line. One column per code
// point. Only what is edited comes here; other lines are never looked at character by character.

/** Columns of the terminal. A longer line wraps, and a CR then goes to the start of its last row, as on any terminal. */
const COLUMNS = 4_096;
const SPACE = 0x20;
const TAB = 0x09;

export class Row {
  readonly #cells = new Uint32Array(COLUMNS);
  #length = 0;
  #column = 0;
  /** The cursor went back since the last character: the next one overwrites a state of the line. */
  #wentBack = false;
  /** This line has lost a state. */
  #isFolded = false;
  #wrapped = '';
  #blanksLeft: number;
  #folded = 0;

  /** `maxBlanks`: how many blanks moves of the cursor may make in all; without a bound `ESC[4096Gx` makes 4,096 bytes of nine. */
  constructor(maxBlanks: number) {
    this.#blanksLeft = maxBlanks;
  }

  /** States of lines that were overwritten or erased so far. */
  get folded(): number {
    return this.#folded;
  }

  write(text: string): void {
    for (let index = 0; index < text.length; ) {
      const codePoint = text.codePointAt(index) ?? SPACE;
      if (codePoint >= SPACE || codePoint === TAB) this.#put(codePoint); // other controls take no column
      index += codePoint > 0xffff ? 2 : 1;
    }
  }

  carriageReturn(): void {
    this.#moveTo(0);
  }

  backspace(): void {
    this.#moveTo(this.#column - 1);
  }

  /** Applies `CSI count final`; an absent count is NaN. */
  edit(final: string, count: number): void {
    const steps = Math.min(COLUMNS, count || 1); // 0 means 1
    switch (final) {
      case 'C': return this.#moveTo(this.#column + steps);
      case 'D': return this.#moveTo(this.#column - steps);
      case 'G': return this.#moveTo(steps - 1);
      case 'P': return this.#remove(steps);
      case '@': return this.#insert(steps);
      case 'J':
      case 'K': return this.#erase(count || 0);
    }
  }

  /** Ends the line and gives its text. Blanks at its end are left out if it is complete and was overwritten: they wiped older text. */
  take(isComplete: boolean): string {
    while (isComplete && this.#isFolded && this.#cells[this.#length - 1] === SPACE) this.#length -= 1;
    const line = this.#wrapped + this.#text();
    this.#wrapped = '';
    this.#length = 0;
    this.#column = 0;
    this.#wentBack = false;
    this.#isFolded = false;
    return line;
  }

  #text(): string {
    return Reflect.apply(String.fromCodePoint, undefined, this.#cells.subarray(0, this.#length)); // a spread is three times slower
  }

  #moveTo(column: number): void {
    if (column < this.#column) this.#wentBack = true;
    this.#column = Math.min(COLUMNS - 1, Math.max(0, column));
  }

  #put(codePoint: number): void {
    if (this.#column === COLUMNS) this.#wrap();
    if (this.#column > this.#length) this.#pad();
    if (this.#column < this.#length && this.#wentBack) this.#fold();
    this.#wentBack = false;
    this.#cells[this.#column] = codePoint;
    this.#column += 1;
    this.#length = Math.max(this.#length, this.#column);
  }

  #wrap(): void {
    this.#wrapped += this.#text();
    this.#length = 0;
    this.#column = 0;
  }

  #pad(): void {
    const blanks = this.#takeBlanks(this.#column - this.#length);
    this.#cells.fill(SPACE, this.#length, this.#length + blanks);
    this.#length += blanks;
    this.#column = this.#length;
  }

  #takeBlanks(wanted: number): number {
    const blanks = Math.min(wanted, this.#blanksLeft);
    this.#blanksLeft -= blanks;
    return blanks;
  }

  #fold(): void {
    this.#folded += 1;
    this.#isFolded = true;
    this.#wentBack = false;
  }

  /** Erases to the end of the line (0), to the cursor (1), or all of it (2); the cursor stays. */
  #erase(mode: number): void {
    const from = mode === 0 ? this.#column : 0;
    const to = mode === 1 ? Math.min(this.#column + 1, this.#length) : this.#length;
    if (from >= to) return;
    this.#fold();
    if (to === this.#length) this.#length = from;
    else this.#cells.fill(SPACE, from, to);
  }

  #remove(count: number): void {
    if (this.#column >= this.#length) return;
    const next = Math.min(this.#column + count, this.#length);
    this.#cells.copyWithin(this.#column, next, this.#length);
    this.#length -= next - this.#column;
  }

  #insert(count: number): void {
    if (this.#column >= this.#length) return;
    const blanks = this.#takeBlanks(Math.min(count, COLUMNS - this.#length));
    this.#cells.copyWithin(this.#column + blanks, this.#column, this.#length);
    this.#cells.fill(SPACE, this.#column, this.#column + blanks);
    this.#length += blanks;
  }
}
