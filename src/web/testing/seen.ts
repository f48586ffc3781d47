/** Everything is near: what waits for its place to be scrolled to is shown at once. */
export class SeenAtOnce {
  readonly #tell: (entries: { target: Element; isIntersecting: boolean }[]) => void;
  constructor(tell: (entries: { target: Element; isIntersecting: boolean }[]) => void) {
    this.#tell = tell;
  }
  observe(target: Element): void {
    this.#tell([{ target, isIntersecting: true }]);
  }
  disconnect(): void {}
  unobserve(): void {}
}
