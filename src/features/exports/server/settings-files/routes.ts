import type { FastifyInstance } from 'fastify';
import { exportSettings, importSettings } from '#features/exports/contract/settings-files.ts';
import { downloadBuffered, route } from '#kernel/route.ts';
import { applyImport, createFile, type SettingsFilesContext } from './service/settings.ts';

/** Fits the longest possible list of alerts, with the longest texts, and the settings. */
const FILE_BYTES = 2.5 * 1024 * 1024;

export function settingsFilesRoutes(app: FastifyInstance, ctx: SettingsFilesContext): void {
  downloadBuffered(app, exportSettings, ({ caller }) => createFile(ctx, caller));
  route(app, importSettings, ({ caller, body }) => applyImport(ctx, caller, body), { bodyLimit: FILE_BYTES });
}
