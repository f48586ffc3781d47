/** Keeps what was used lately: when the young half is full it becomes the old half, and the old half is forgotten. */
export class Recent<V> {
  readonly #half: number;
  #young = new Map<number, V>();
  #old = new Map<number, V>();

  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2);
  }

  get(key: number, make: () => V): V {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const value = this.#old.get(key) ?? make();
    if (this.#young.size >= this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
    return value;
  }
}
