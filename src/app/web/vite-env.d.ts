declare const __VERSION__: string;
/** From CHANGELOG.md, at build time. */
declare const __NEWS__: readonly import('./shell/news.ts').News[];
