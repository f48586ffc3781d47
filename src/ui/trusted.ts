type Rules = { createHTML: (html: string) => string; createScriptURL: (url: string) => string };

declare global {
  interface Window {
    /** Not in all browsers. The values it returns are objects, used where strings are expected. */
    trustedTypes?: { emptyHTML: string; createPolicy: (name: string, rules: Rules) => Rules };
  }
}

const STYLE_OR_SCRIPT = /<(style|script)\b[\s\S]*?<\/\1\s*>/gi;
const SCRIPT_LEFT = /<(?=\/?script)/gi;
const WORKER = '/sw.js';

const rules: Rules = {
  // Removes only script and style elements: the result is parsed but never shown, or shown in a frame without scripts.
  createHTML: (html) => html.replaceAll(STYLE_OR_SCRIPT, '').replaceAll(SCRIPT_LEFT, '&lt;'),
  createScriptURL: (url) => {
    if (url !== WORKER) throw new TypeError(`${url} is not our script`);
    return url;
  },
};

/** The only way to pass a string to a script sink: the content security policy refuses any other. */
export const trusted: Rules =
  ('trustedTypes' in globalThis && window.trustedTypes?.createPolicy('meridian', rules)) || rules;
