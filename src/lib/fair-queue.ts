// A queue for several who share one thing: the keys in turns, what belongs to one key in the order in which it came.

export class FairQueue<Item> {
  /** By key, whose turn is next comes first; none is empty. */
  readonly #byKey = new Map<string, Set<Item>>();
  #size = 0;

  /** Of all keys. */
  get size(): number {
    return this.#size;
  }

  sizeOf(key: string): number {
    return this.#byKey.get(key)?.size ?? 0;
  }

  /** Behind all others of its key; a key that had none is behind all other keys. */
  add(key: string, item: Item): void {
    const items = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, items.add(item));
    this.#size++;
  }

  /** Takes out one that gave up waiting. */
  remove(key: string, item: Item): void {
    const items = this.#byKey.get(key);
    if (items?.delete(item) !== true) return;
    this.#size--;
    if (items.size === 0) this.#byKey.delete(key);
  }

  /** Takes out the next. Its key is then behind all others. */
  next(): Item | undefined {
    for (const [key, items] of this.#byKey) {
      for (const item of items) {
        this.remove(key, item);
        if (this.#byKey.delete(key)) this.#byKey.set(key, items);
        return item;
      }
    }
    return undefined;
  }
}
