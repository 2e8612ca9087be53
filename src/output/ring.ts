// The newest bytes of a stream, in bounded memory: what stands in for the disk when it fails.

export class Ring {
  readonly #capacity: number;
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;
  #end: number;

  /** `start`: the offset in the stream of the first byte that will be appended. */
  constructor(start: number, capacityBytes: number) {
    this.#end = start;
    this.#capacity = capacityBytes;
  }

  /** Offset of the oldest byte that is kept. */
  get start(): number {
    return this.#end - this.#used;
  }

  get end(): number {
    return this.#end;
  }

  append(chunk: Buffer): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#capacity));
    if (kept.length < chunk.length) this.#used = 0; // what was kept no longer touches what is
    if (this.#used + kept.length > this.#bytes.length) this.#makeRoom(kept.length);
    this.#bytes.set(kept, this.#used);
    this.#used += kept.length;
    this.#end += chunk.length;
  }

  /** Copies from an offset that is kept into the target, as far as there is something; how many bytes. */
  read(position: number, target: Buffer): number {
    return this.#bytes.copy(target, 0, position - this.start, this.#used);
  }

  /** Twice the capacity, so that moving the kept bytes to the front costs one copy of each byte at most. */
  #makeRoom(incoming: number): void {
    if (this.#bytes.length === 0) this.#bytes = Buffer.allocUnsafeSlow(2 * this.#capacity);
    const kept = Math.min(this.#used, this.#capacity - incoming);
    this.#bytes.copyWithin(0, this.#used - kept, this.#used);
    this.#used = kept;
  }
}
