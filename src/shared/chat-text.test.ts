import fc from 'fast-check';
import { expect, test } from 'vitest';

import { announcementParts, chatParts, shownText } from './chat-text.ts';

test.each([
  ['plain text', [{ text: 'plain text' }]],
  [
    '*Bold* and _italic_.',
    [{ text: 'Bold', style: 'bold' }, { text: ' and ' }, { text: 'italic', style: 'italic' }, { text: '.' }],
  ],
  ['snake_case_name and 2*3*4', [{ text: 'snake_case_name and 2*3*4' }]],
  ['* a list\n* of two', [{ text: '* a list\n* of two' }]],
  ['*never ends', [{ text: '*never ends' }]],
  ['*no\nend*', [{ text: '*no\nend*' }]],
  ['[the notes](https://m.example/a_b_c)', [{ text: 'the notes', href: 'https://m.example/a_b_c' }]],
  ['[not safe](javascript:alert(1))', [{ text: '[not safe](javascript:alert(1))' }]],
  [
    'See https://m.example/_a_?b=*c*.',
    [{ text: 'See ' }, { text: 'https://m.example/_a_?b=*c', href: 'https://m.example/_a_?b=*c' }, { text: '*.' }],
  ],
  ['<b>&amp;</b>', [{ text: '<b>&amp;</b>' }]],
])('%j', (text, parts) => {
  expect(chatParts(text)).toEqual(parts);
});

test('marks only ever remove: the displayed text is no longer than the source, and links are web addresses', () => {
  const piece = fc.constantFrom('*', '_', '[', ']', '(', ')', 'https://a.b', 'x', ' ', '\n', '<', '&', '"', 'é', '😀');
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const parts = chatParts(text);
      expect(shownText(parts).length).toBeLessThanOrEqual(text.length);
      for (const { text: shown, href } of parts) {
        expect(shown).not.toBe('');
        if (href !== undefined) expect(href).toMatch(/^https?:\/\/[^\s"<>]+$/);
      }
    }),
    { numRuns: 500 },
  );
});

test('4,000 characters fit into a message with its ending, and many marks parse quickly', () => {
  expect(shownText(announcementParts('a'.repeat(4000))).length).toBeLessThanOrEqual(4096);
  const begun = performance.now();
  for (const each of ['*a ', '_a ', '[a', '[a](https://', 'https://']) chatParts(each.repeat(4000 / each.length));
  expect(performance.now() - begun).toBeLessThan(200);
});
