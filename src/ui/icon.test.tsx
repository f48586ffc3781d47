import { render } from '@testing-library/react';
import { Star } from 'lucide-react';
import { expect, test } from 'vitest';

import { icon, type Shape } from './icon.tsx';

const LINE: Shape = ['path', { d: 'M4 4h16' }];

function drawn(element: React.ReactElement): SVGElement {
  const svg = render(element).container.querySelector('svg');
  if (!svg) throw new Error('no picture');
  return svg;
}

const attributesOf = (svg: Element) =>
  Object.fromEntries(
    [...svg.attributes].filter(({ name }) => name !== 'xmlns').map(({ name, value }) => [name, value]),
  );

test('a bundled icon renders as in the library, except for its class names', () => {
  const theirs = drawn(<Star className="size-4" strokeWidth={1.75} aria-hidden="true" />);
  const shapes = [...theirs.children].map((child): Shape => [child.tagName.toLowerCase(), attributesOf(child)]);
  const Own = icon(shapes);
  const own = drawn(<Own className="size-4" strokeWidth={1.75} aria-hidden="true" />);
  expect(attributesOf(own)).toEqual({ ...attributesOf(theirs), class: 'size-4' });
  expect(own.innerHTML).toBe(theirs.innerHTML);
  expect(own.innerHTML).toContain('<path');
});

test('is hidden from screen readers unless it has a name', () => {
  const Line = icon([LINE]);
  expect(drawn(<Line />).getAttribute('aria-hidden')).toBe('true');
  expect(drawn(<Line aria-label="A line" />).getAttribute('aria-hidden')).toBe('false');
});
