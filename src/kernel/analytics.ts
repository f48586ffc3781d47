import type { Config } from './config.ts';

/**
 * Third-party page statistics: the inline loader, and the one origin and trusted type the content policy then allows.
 */
export type Analytics = { origin: string; loader: string; policy: string };

/** Hostnames and addresses of this machine and of private networks, as in `location.hostname`. */
const LOCAL =
  /^(localhost|[^.:]+|.*\.(localhost|local|internal|lan|home\.arpa)|(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+)+|\[(::|::1|::ffff:.*|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\])\.?$/;

export const isLocal = (host: string): boolean => LOCAL.test(host);

const POLICY = 'meridian-statistics';

/** The browser checks its own hostname, so a page opened through a local address loads nothing either. */
const loaderScript = (script: string) =>
  `addEventListener('load',function(){if(${LOCAL}.test(location.hostname))return;var u=${JSON.stringify(script).replaceAll('<', '\\u003c')},t=window.trustedTypes,s=document.createElement('script');s.async=true;s.src=t?t.createPolicy('${POLICY}',{createScriptURL:function(){return u}}).createScriptURL(''):u;document.head.append(s)})`;

/** Null unless a script is configured and the site has a public address. */
export function resolveAnalytics({
  ANALYTICS_SCRIPT_URL: script,
  PUBLIC_URL: address,
}: Pick<Config, 'ANALYTICS_SCRIPT_URL' | 'PUBLIC_URL'>): Analytics | null {
  if (!script || !address || isLocal(new URL(address).hostname)) return null;
  const { href, origin } = new URL(script);
  return { origin, loader: loaderScript(href), policy: POLICY };
}
