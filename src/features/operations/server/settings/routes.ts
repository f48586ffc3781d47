import type { FastifyInstance } from 'fastify';
import { changeSetting, listSettings } from '#features/operations/contract/settings.ts';
import { route } from '#kernel/route.ts';
import * as settings from './service.ts';

export function settingsRoutes(app: FastifyInstance, deps: settings.SettingsDeps): void {
  route(app, listSettings, () => settings.listAll(deps));
  route(app, changeSetting, ({ caller, params, body }) => settings.change(deps, caller, params.key, body));
}
