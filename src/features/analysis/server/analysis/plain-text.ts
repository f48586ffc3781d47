/** One line without control, format or private characters, cut between characters. */
export function plainText(text: string, longest: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/\p{C}/gu, '')
    .trim();
  const letters = Array.from(line);
  return letters.length <= longest
    ? line
    : `${letters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`;
}
