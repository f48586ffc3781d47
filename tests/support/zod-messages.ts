import { config, locales } from 'zod/mini';

// As main.ts does at start: without a locale every message reads "Invalid input".
config(locales.en());
