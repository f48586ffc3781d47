/** Quality 0 means refused. Names are case-insensitive, and an explicit name takes precedence over `*`. */
export function accepts(accepted: string, encoding: string): boolean {
  let any = false;
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...params] = part.split(';').map((text) => text.trim());
    if (name !== encoding && name !== '*') continue;
    const isWanted = !params.some((param) => /^q=0(?:\.0*)?$/.test(param));
    if (name === encoding) return isWanted;
    any = isWanted;
  }
  return any;
}
