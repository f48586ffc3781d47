// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { toast } from '#ui/toast.ts';

import { LATE } from './acts.ts';
import { closeApp, eachWithItsApp, openApp } from './open-app.tsx';

eachWithItsApp();

test('a toast of one test does not come back in the app of the next', async () => {
  openApp();
  act(() => toast('info', 'First'));
  expect(await screen.findByText('First', {}, LATE)).toBeDefined();
  closeApp();
  openApp();
  act(() => toast('info', 'Second'));
  expect(await screen.findByText('Second', {}, LATE)).toBeDefined();
  expect(screen.queryByText('First')).toBeNull();
});
