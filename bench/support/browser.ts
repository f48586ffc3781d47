import { existsSync } from 'node:fs';

import { type Browser, chromium, type Page } from '@playwright/test';

import type { Context } from '../benchmark.ts';

const CHROMIUM = '/usr/bin/chromium';
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function startBrowser(context: Context): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is missing: apt-get install chromium`);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGS });
  context.cleanUp(() => browser.close());
  return browser;
}

export type Size = { width: number; height: number };

/** A page in a new profile, without cache or stored settings. */
export async function openPage(browser: Browser, viewport: Size): Promise<Page> {
  const profile = await browser.newContext({ viewport });
  return profile.newPage();
}

export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
