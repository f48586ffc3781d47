import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

import { expect } from './product.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** `within` one part of the page only: what lies under an open popover is not there to be pressed. */
export async function expectNoViolation(page: Page, within?: string): Promise<void> {
  // Widgets in frames are judged by a story of their own.
  const builder = new AxeBuilder({ page }).withTags(TAGS).exclude('iframe[src^="/widgets/"]');
  const { violations } = await (within ? builder.include(within) : builder).analyze();
  expect(
    violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary ?? ''}`).join(' | ')}`,
    ),
  ).toEqual([]);
}
