/** The entry that must be there. */
export function item<T>(list: ArrayLike<T>, index: number): T {
  const value = list[index];
  if (value === undefined) throw new RangeError(`Nothing at ${index} of ${list.length}`);
  return value;
}
