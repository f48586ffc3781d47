import { createContext } from 'react';

/** Whether the server rendered more into the page than its seed contains. Ends once that markup is replaced. */
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
  /** Whether the server rendered the page and the browser hydrates it. */
  hydrates: false,
  drawn: new DrawnView(false),
});
