import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';

const { getElementError } = getConfig();
configure({
  // A busy machine renders late: queries may take longer than the library's second.
  asyncUtilTimeout: 20_000,
  // Printed only in the reported failure, not on every poll of a wait.
  getElementError: (message, container) =>
    Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics')
      ? new Error(message ?? '')
      : getElementError(message, container),
});

// No style sheet is loaded here, so inline styles are the computed ones; computing them took a tenth of the time.
if (typeof window !== 'undefined') window.getComputedStyle = (element) => (element as HTMLElement).style;

// React records a stack for each element until this counter reaches a limit; the stacks took another tenth.
const internals: object = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 1e9, set: () => {}, configurable: true });

// Automated browsers are not offered the tour.
if (typeof navigator !== 'undefined')
  Object.defineProperty(navigator, 'webdriver', { value: true, configurable: true });

// Files share a worker and its modules: the library registers its own hooks for the first one only.
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
  history.replaceState(null, '', '/');
});
afterAll(() => {
  sessionStorage.clear();
  document.body.replaceChildren();
});
