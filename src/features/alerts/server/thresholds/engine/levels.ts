/** Sorts by value, then slot. Slots must ascend. Large inputs use a radix sort, several times as fast as comparing. */
export function sortTogether(values: Float64Array, slots: Uint32Array): void {
  if (isSorted(values)) return;
  const count = values.length;
  if (count < 10_000) return compareTogether(values, slots);
  // As unsigned integers in the order of the values: sign bit flipped, all bits for negative values.
  const words = new Uint32Array(values.buffer, values.byteOffset, count * 2);
  for (let i = 0; i < count; i++) {
    const top = words[2 * i + 1] as number;
    const flip = top >>> 31 ? 0xffffffff : 0;
    words[2 * i] = (words[2 * i] as number) ^ flip;
    words[2 * i + 1] = top ^ (flip || 0x80000000);
  }
  let from: Sortable = { words, slots };
  let to: Sortable = { words: new Uint32Array(count * 2), slots: new Uint32Array(count) };
  for (let digit = 0; digit < 4; digit++) {
    if (!distribute(from, to, digit >> 1, (digit & 1) * 16)) continue;
    [from, to] = [to, from];
  }
  if (from.words !== words) {
    words.set(from.words);
    slots.set(from.slots);
  }
  for (let i = 0; i < count; i++) {
    const top = words[2 * i + 1] as number;
    const flip = top >>> 31 ? 0 : 0xffffffff;
    words[2 * i] = (words[2 * i] as number) ^ flip;
    words[2 * i + 1] = top ^ (flip || 0x80000000);
  }
}

function isSorted(values: Float64Array): boolean {
  for (let i = 1; i < values.length; i++) if ((values[i] as number) < (values[i - 1] as number)) return false;
  return true;
}

function compareTogether(values: Float64Array, slots: Uint32Array): void {
  const was = { values: values.slice(), slots: slots.slice() };
  const order = Array.from(values, (_, i) => i).toSorted((a, b) => (values[a] as number) - (values[b] as number));
  for (const [i, from] of order.entries()) {
    values[i] = was.values[from] as number;
    slots[i] = was.slots[from] as number;
  }
}

type Sortable = { words: Uint32Array; slots: Uint32Array };

/** One stable pass over sixteen bits; false when they are the same everywhere. */
function distribute(from: Sortable, to: Sortable, word: number, shift: number): boolean {
  const count = from.slots.length;
  const starts = new Uint32Array(65_537);
  for (let i = 0; i < count; i++) {
    const digit = ((from.words[2 * i + word] as number) >>> shift) & 0xffff;
    starts[digit + 1] = (starts[digit + 1] as number) + 1;
  }
  if (count === 0 || starts.includes(count)) return false;
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
  for (let i = 0; i < count; i++) {
    const digit = ((from.words[2 * i + word] as number) >>> shift) & 0xffff;
    const place = starts[digit] as number;
    starts[digit] = place + 1;
    to.words[2 * place] = from.words[2 * i] as number;
    to.words[2 * place + 1] = from.words[2 * i + 1] as number;
    to.slots[place] = from.slots[i] as number;
  }
  return true;
}

const BLOCK = 512;
/** Fill level of a block in bulk loads: a third more fits before it is split. */
const FILL = 384;

type Block = { values: Float64Array; slots: Uint32Array; count: number };

const emptyBlock = (): Block => ({ values: new Float64Array(BLOCK), slots: new Uint32Array(BLOCK), count: 0 });

/** Slots in a reused buffer. */
export class Reached {
  slots = new Uint32Array(1024);
  count = 0;

  push(slot: number): void {
    if (this.count === this.slots.length) {
      const larger = new Uint32Array(this.count * 2);
      larger.set(this.slots);
      this.slots = larger;
    }
    this.slots[this.count++] = slot;
  }
}

/**
 * Sorted levels with the slots of their legs, as a list of sorted blocks, so that an edit moves a few kilobytes at
 * most.
 */
export class Levels {
  #blocks: Block[] = [emptyBlock()];
  /** The last value of each block, stored contiguously: an entry is located without touching the blocks. */
  #lasts: number[] = [NaN];
  size = 0;

  /** Replaces all entries. Sorts the given arrays in place. */
  fill(values: Float64Array, slots: Uint32Array): void {
    sortTogether(values, slots);
    this.#blocks = [];
    this.#lasts = [];
    for (let i = 0; i < values.length; i += FILL) {
      const block = emptyBlock();
      block.count = Math.min(FILL, values.length - i);
      block.values.set(values.subarray(i, i + block.count));
      block.slots.set(slots.subarray(i, i + block.count));
      this.#blocks.push(block);
      this.#lasts.push(block.values[block.count - 1] as number);
    }
    if (this.#blocks.length === 0) {
      this.#blocks.push(emptyBlock());
      this.#lasts.push(NaN);
    }
    this.size = values.length;
  }

  /** The first block whose last entry is not before it; otherwise the last block. */
  #blockOf(value: number, slot: number): number {
    const blocks = this.#blocks;
    const lasts = this.#lasts;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = lasts[middle] as number;
      if (last < value || (last === value && lastSlot(blocks[middle] as Block) < slot)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #noteLast(at: number): void {
    const { values, count } = this.#blocks[at] as Block;
    this.#lasts[at] = values[count - 1] ?? NaN;
  }

  insert(value: number, slot: number): void {
    let at = this.#blockOf(value, slot);
    let block = this.#blocks[at] as Block;
    if (block.count === BLOCK) {
      const half = BLOCK / 2;
      const right = emptyBlock();
      right.values.set(block.values.subarray(half));
      right.slots.set(block.slots.subarray(half));
      right.count = half;
      block.count = half;
      this.#blocks.splice(at + 1, 0, right);
      this.#lasts.splice(at + 1, 0, NaN);
      this.#noteLast(at);
      this.#noteLast(at + 1);
      at = this.#blockOf(value, slot);
      block = this.#blocks[at] as Block;
    }
    const { values, slots, count } = block;
    const place = placeIn(block, value, slot);
    values.copyWithin(place + 1, place, count);
    slots.copyWithin(place + 1, place, count);
    values[place] = value;
    slots[place] = slot;
    block.count++;
    this.size++;
    this.#noteLast(at);
  }

  remove(value: number, slot: number): void {
    const at = this.#blockOf(value, slot);
    const block = this.#blocks[at] as Block;
    const { values, slots, count } = block;
    const place = placeIn(block, value, slot);
    if (place >= count || values[place] !== value || slots[place] !== slot)
      throw new Error(`No level ${value} of slot ${slot}`);
    values.copyWithin(place, place + 1, count);
    slots.copyWithin(place, place + 1, count);
    block.count--;
    this.size--;
    if (block.count === 0 && this.#blocks.length > 1) {
      this.#blocks.splice(at, 1);
      this.#lasts.splice(at, 1);
    } else this.#noteLast(at);
  }

  /**
   * Appends the slots of the levels reached by a move from one value to another: the new value is included, the old one
   * is not.
   */
  reached(from: number, to: number, out: Reached): void {
    const rising = to > from;
    const low = rising ? from : to;
    const high = rising ? to : from;
    const blocks = this.#blocks;
    for (let at = this.#blockOf(low, 0); at < blocks.length; at++) {
      const block = blocks[at] as Block;
      const { values, slots, count } = block;
      for (let i = placeIn(block, low, 0); i < count; i++) {
        const value = values[i] as number;
        if (value > high || value === from) {
          if (value === low) continue;
          return;
        }
        out.push(slots[i] as number);
      }
    }
  }
}

const lastSlot = ({ slots, count }: Block): number => slots[count - 1] as number;

/** The position of an entry in a block, or where it would be inserted. */
function placeIn({ values, slots, count }: Block, value: number, slot: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    const middleValue = values[middle] as number;
    if (middleValue < value || (middleValue === value && (slots[middle] as number) < slot)) low = middle + 1;
    else high = middle;
  }
  return low;
}
