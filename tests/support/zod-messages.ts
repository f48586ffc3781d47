import { config, locales } from 'zod/mini';

// As in main.ts: without a locale every message reads "Invalid input".
config(locales.en());
