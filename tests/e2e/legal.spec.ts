import { expect, hydrated, test } from './product.ts';

test.describe('legal texts, About and Contact', () => {
  test('the landing page links to /about, which shows the collection schedule, without React', {
    tag: '@core',
  }, async ({ page }) => {
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.url());
    });
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'About' }).click();
    await expect(page).toHaveURL(/\/about$/);
    await expect(page.getByText('Weekdays 9-17 UTC: hourly')).toBeVisible();
    await expect(page.getByText('Weekday off-hours: every 3 hours')).toBeVisible();
    await expect(page.getByText('Weekends: every 4 hours')).toBeVisible();
    await expect(page.getByText('every 30 minutes')).toBeVisible();
    await expect(page.getByText('Demo data: this instance shows a simulated market')).toBeVisible();
    await page.waitForLoadState('load');
    expect(new Set(scripts).size).toBe(1);
    await page.getByRole('main').getByRole('link', { name: 'Launch App' }).click();
    await expect(page.getByRole('heading', { name: 'Market Dashboard' })).toBeVisible();
  });

  test('links in the dashboard footer open at the top; contents link to sections, Back returns', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms & Conditions' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'In short' })).toBeInViewport();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const law = page.getByRole('heading', { level: 2, name: /Governing law$/ });
    await expect(law).not.toBeInViewport();
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Governing law' }).click();
    await expect(page).toHaveURL(/\/app\/terms#law$/);
    await expect(law).toBeInViewport();
    await page.reload();
    await expect(law).toBeInViewport();
    await page.goBack();
    await expect(page).toHaveURL(/\/app\/terms$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/app$/);
  });

  test('Back pressed before the code of a reloaded page has arrived opens the page before it', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    await page.getByRole('contentinfo').getByRole('link', { name: 'Terms & Conditions' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'In short' })).toBeInViewport();
    const held = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.goBack({ waitUntil: 'commit' });
    held.resolve();
    await expect(page.getByRole('heading', { name: 'Market Dashboard' })).toBeVisible();
    await expect(page).toHaveURL(/\/app$/);
  });

  test('the Privacy Policy lists every key stored in the browser', async ({ page }) => {
    await page.goto('/app');
    await hydrated(page);
    await page.getByRole('button', { name: /theme/i }).click();
    await page.getByRole('button', { name: 'BTC on watchlist' }).click();
    await page.getByRole('button', { name: 'Settings and shortcuts' }).click();
    const settings = page.getByRole('dialog', { name: 'Settings and shortcuts' });
    await settings.getByRole('radio', { name: /^Blue and orange/ }).check();
    await settings.getByRole('checkbox').uncheck();
    const keys = await page.evaluate(() => Object.keys(localStorage));
    const releases = ['cpi', 'pce', 'ppi'].map((type) => `lastSeenRelease.${type}`);
    expect(keys.toSorted()).toEqual([...releases, 'lastVisit', 'palette', 'shortcuts', 'theme', 'watchlist']);
    expect(await page.context().cookies()).toEqual([]);
    await page.goto('/app/privacy#browser');
    const named = page.getByRole('region', { name: /What is kept in your browser$/ }).locator('code');
    await expect(named.first()).toBeVisible();
    const names = await named.allTextContents();
    for (const key of keys) expect(names).toContain(key);
  });

  test('prints only the text, black on white', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('/app/terms');
    const text = page.getByText('governed by the laws of the State of Wyoming');
    await expect(text).toBeVisible();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const role of ['banner', 'contentinfo', 'navigation'] as const)
      await expect(page.getByRole(role)).toHaveCount(0);
    await expect(text).toBeVisible();
    expect(await text.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(0, 0, 0)');
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect((await text.boundingBox())?.x).toBeLessThan(60);
  });
});
