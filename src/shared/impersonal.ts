/** Each has bounded lookbehind, so that the time is linear in the length of the text. */
const PERSONAL: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z+.-]{0,20}:\/\/)[^\s/?#@"'<>]*@/gi, '$1'],
  [/([a-z][a-z+.-]{0,20}:\/\/[^\s?#"'<>]*)[?#][^\s"'<>)]*/gi, '$1'],
  [/((?:^|[\s("'=])\/[^\s?#"'<>()]{0,300})[?#][^\s"'<>)]*/g, '$1'],
  [/[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)[\w-]+(?:\.[\w-]+)+/g, '[address]'],
  [/(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.-])/g, '[address]'],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}/gi, '[redacted]'],
  [/\beyJ[\w-]+(?:\.[\w-]+)*/g, '[redacted]'],
];

/** Program text without personal data: query strings, tokens, email and network addresses. */
export function impersonal(text: string): string {
  return PERSONAL.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text);
}
