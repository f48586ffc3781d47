import { expect, test } from 'vitest';

import { quietHtml } from './mail-frame.tsx';

test.each([
  ['a script', '<script>alert(1)</script>', 'alert'],
  ['a style element', '<style>p{color:red}</style>', 'color:red'],
  ['a style element in capitals, over lines', '<STYLE media="all">\np{color:red}\n</STYLE >', 'color:red'],
  ['a stylesheet', '<link rel="preload" title="a.css">', 'a.css'],
  ['a redirect', '<meta http-equiv="refresh" content="0;url=https://example.com/away">', 'away'],
  ['a base', '<base href="https://example.com/base/">', '/base/'],
  ['an object', '<object data="https://example.com/object"></object>', '/object'],
  ['a form', '<form action="https://example.com/form"><input name="a"></form>', '/form'],
  ['a handler', '<p onclick="alert(1)">a</p>', 'onclick'],
  ['a picture from elsewhere', '<img src="https://example.com/seen.png">', 'seen.png'],
])('%s is removed', (_, part, mark) => {
  const html = quietHtml(`<html><head></head><body><p>Hello</p>${part}</body></html>`);
  expect(html).not.toContain(mark);
  expect(html).toContain('<p>Hello</p>');
});

test('links open in a new tab; inline styles and images embedded in the email remain', () => {
  const html = quietHtml(
    '<body><p style="color: red"><a href="/x">Go</a><img src="data:image/gif;base64,R0="></p></body>',
  );
  expect(html).toContain('target="_blank"');
  expect(html).toContain('rel="noopener noreferrer"');
  expect(html).toContain('style="color: red"');
  expect(html).toContain('data:image/gif');
});
