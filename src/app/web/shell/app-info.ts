import { createContext } from 'react';

/** Whether the server drew more into the page than the browser was given data for. Over once that was replaced. */
export class DrawnView {
  isThere: boolean;

  constructor(isThere: boolean) {
    this.isThere = isThere;
  }

  readonly end = (): void => {
    this.isThere = false;
  };
}

export const AppInfo = createContext({
  version: __VERSION__,
  seeded: false,
  /** Whether the server has drawn the page and the browser takes its markup over. */
  hydrates: false,
  drawn: new DrawnView(false),
});
