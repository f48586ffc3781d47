import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll } from 'vitest';

// A busy machine draws late: what is looked for may take longer than the library's second.
configure({ asyncUtilTimeout: 20_000 });

// A program drives the page: it is offered no tour.
if (typeof navigator !== 'undefined')
  Object.defineProperty(navigator, 'webdriver', { value: true, configurable: true });

// Files share a worker and its modules: the library registers its own hooks for the first one only.
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});
afterEach(cleanup);
afterAll(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  history.replaceState(null, '', '/');
});
