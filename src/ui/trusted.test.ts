import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.resetModules();
});

const load = async () => (await import('./trusted.ts')).trusted;

test.each(['https://elsewhere.example/sw.js', '//elsewhere.example/sw.js', '/other.js', 'javascript:alert(1)', ''])(
  '"%s" is not an allowed script',
  async (url) => {
    const trusted = await load();
    expect(() => trusted.createScriptURL(url)).toThrow('is not our script');
  },
);

test('allows the worker', async () => expect((await load()).createScriptURL('/sw.js')).toBe('/sw.js'));

test.each([
  ['<p>a</p><script>alert(1)</script>', '<p>a</p>'],
  ['<p>a</p><SCRIPT src="x">', '<p>a</p>&lt;SCRIPT src="x">'],
  ['<scr<script></script>ipt>x', '&lt;script>x'],
])('markup %s has its script removed', async (html, left) => expect((await load()).createHTML(html)).toBe(left));

test('a browser with Trusted Types gets one policy, with these rules', async () => {
  const made = { createHTML: String, createScriptURL: String };
  const createPolicy = vi.fn(() => made);
  vi.stubGlobal('trustedTypes', { createPolicy });
  expect(await load()).toBe(made);
  expect(createPolicy).toHaveBeenCalledExactlyOnceWith('meridian', expect.anything());
});
