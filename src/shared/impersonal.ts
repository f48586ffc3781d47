const PERSONAL: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z+.-]*:\/\/)[^\s/?#@"'<>]*@/gi, '$1'],
  [/([a-z][a-z+.-]*:\/\/[^\s?#"'<>]*)[?#][^\s"'<>)]*/gi, '$1'],
  [/((?:^|[\s("'=])\/[^\s?#"'<>()]*)[?#][^\s"'<>)]*/g, '$1'],
  [/[\w.!#$%&'*+/=?^`{|}~-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g, '[address]'],
  [/(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w.-])/g, '[address]'],
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{24,}/gi, '[redacted]'],
  [/\beyJ[\w-]+(?:\.[\w-]+)*/g, '[redacted]'],
];

/** A text of a program without what may tell of a person: queries of addresses, tokens, mail and network addresses. */
export function impersonal(text: string): string {
  return PERSONAL.reduce((rest, [pattern, instead]) => rest.replaceAll(pattern, instead), text);
}
