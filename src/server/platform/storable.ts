/** PostgreSQL keeps neither in a text, and nobody means them. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** False when a text anywhere in it, or a name, cannot be stored as it is. However deep it is: it may have come from anywhere. */
export function canBeStored(given: unknown): boolean {
  const waiting: unknown[] = [given];
  while (waiting.length > 0) {
    const each = waiting.pop();
    if (typeof each === 'string' && !isStorable(each)) return false;
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, value] of Object.entries(each)) {
      if (!isStorable(name)) return false;
      waiting.push(value);
    }
  }
  return true;
}
