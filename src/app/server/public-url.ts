import type { Config } from '#kernel/config.ts';

/** IPv6 addresses are written in brackets. */
const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Where people reach this process: as it is set, else where it listens. */
export const publicUrlOf = (config: Config, port: () => number | undefined) => (): string =>
  config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://${urlHost(config.HOST)}:${port() ?? config.PORT}`;
