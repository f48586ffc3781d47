/** Slots by the moment they are due, the earliest first; each at most once. */
export class Due {
  readonly #slots: number[] = [];
  readonly #moments: number[] = [];
  readonly #places = new Map<number, number>();

  get size(): number {
    return this.#slots.length;
  }

  set(slot: number, at: number): void {
    this.delete(slot);
    this.#slots.push(slot);
    this.#moments.push(at);
    this.#rise(this.#slots.length - 1);
  }

  delete(slot: number): void {
    const place = this.#places.get(slot);
    if (place === undefined) return;
    const last = this.#slots.length - 1;
    this.#swap(place, last);
    this.#slots.pop();
    this.#moments.pop();
    this.#places.delete(slot);
    if (place < last) this.#sink(this.#rise(place));
  }

  /** Takes the earliest out if its moment has come. */
  take(at: number): number | undefined {
    const slot = this.#slots[0];
    if (slot === undefined || (this.#moments[0] as number) > at) return undefined;
    this.delete(slot);
    return slot;
  }

  #swap(a: number, b: number): void {
    const slots = this.#slots;
    const moments = this.#moments;
    [slots[a], slots[b]] = [slots[b] as number, slots[a] as number];
    [moments[a], moments[b]] = [moments[b] as number, moments[a] as number];
    this.#places.set(slots[a], a).set(slots[b], b);
  }

  #rise(from: number): number {
    let place = from;
    this.#places.set(this.#slots[place] as number, place);
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if ((this.#moments[parent] as number) <= (this.#moments[place] as number)) break;
      this.#swap(parent, place);
      place = parent;
    }
    return place;
  }

  #sink(from: number): void {
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      if (left >= this.#moments.length) return;
      const right = left + 1;
      const isRight =
        right < this.#moments.length && (this.#moments[right] as number) < (this.#moments[left] as number);
      const child = isRight ? right : left;
      if ((this.#moments[place] as number) <= (this.#moments[child] as number)) return;
      this.#swap(place, child);
      place = child;
    }
  }
}
