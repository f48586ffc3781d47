/** Writers hand on their text when about so much of it has gathered. */
export const CHUNK = 1 << 16;

/** What XML forbids and no table shows. Surrogates are looked at again: pairs of them are letters. */
const DOUBTFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/;
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Without control characters other than tab and line breaks; half a letter becomes U+FFFD. */
export function cleanText(text: string): string {
  return DOUBTFUL.test(text) ? text.toWellFormed().replaceAll(FORBIDDEN, '') : text;
}

const MARKUP = /[&<>"\r]/;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' };

/** As content or attribute of XML; a carriage return would else be read as a line feed. */
export function xmlText(text: string): string {
  const clean = cleanText(text);
  return MARKUP.test(clean) ? clean.replaceAll(/[&<>"\r]/g, (sign) => ENTITIES[sign] ?? sign) : clean;
}

/** A cell of one word, as metadata have them: objects become JSON. */
export function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** '2026-01-31 09:05 UTC' */
export const minuteText = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
