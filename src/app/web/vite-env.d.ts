declare const __VERSION__: string;
/** From CHANGELOG.md, when it is built. */
declare const __NEWS__: readonly import('./shell/news.ts').News[];
