import { createHash } from 'node:crypto';

/** Longer messages differ in their beginning, or are the same failure. */
const LONGEST = 1_000;

const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/(\b[a-z][a-z+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>)]*/gi, '$1'],
  // The name of a built file holds the hash of its content.
  [/-[\w-]{8}(?=\.(?:js|css)\b)/g, ''],
  [/\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi, '#'],
  [/\b0x[\da-f]+\b/gi, '#'],
  [/\b(?=[a-f]*\d)[\da-f]{8,}\b/gi, '#'],
  [/\b(?=[\w-]*\d)[\w-]{16,}/g, '#'],
];

/** A message without what differs from one time to the next. The status that a server answered says what kind of failure it is, and stays. */
export function shapeOf(message: string): string {
  const plain = LEFT_OUT.reduce(
    (rest, [pattern, instead]) => rest.replaceAll(pattern, instead),
    message.slice(0, LONGEST),
  );
  return plain
    .replaceAll(/(answered )?\d+(?:[.,:]\d+)*/g, (found, answered?: string) => (answered ? found : '#'))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** 32 hexadecimal digits; the same for a failure that comes again. */
export function fingerprintOf(source: string, type: string, message: string): string {
  return createHash('sha256')
    .update([source, type, shapeOf(message)].join('\n'))
    .digest('hex')
    .slice(0, 32);
}
