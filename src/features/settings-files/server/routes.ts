import type { FastifyInstance } from 'fastify';

import type { Notifications } from '#features/notifications/server/service.ts';
import type { Thresholds } from '#features/thresholds/server/service.ts';

export type SettingsFilesContext = { thresholds: Thresholds; notifications: Notifications; now: () => Date };

export function settingsFilesRoutes(_app: FastifyInstance, _ctx: SettingsFilesContext): void {}
