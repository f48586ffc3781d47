import { configure } from '@testing-library/react';

// A busy machine draws late: what is looked for may take longer than the library's second.
configure({ asyncUtilTimeout: 8_000 });

// A program drives the page: it is offered no tour.
if (typeof navigator !== 'undefined')
  Object.defineProperty(navigator, 'webdriver', { value: true, configurable: true });
