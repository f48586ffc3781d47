import type { IncomingHttpHeaders } from 'node:http';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { Gate, KeyCaller } from '#features/api/server/api-keys/service.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { AppError, INTERNAL_MESSAGE } from '#kernel/errors.ts';
import { checkAccess, hasAccess } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { Teller } from './say.ts';
import type { Tool } from './tools.ts';

const GLOSSARY_URI = 'meridian://glossary';

const glossary = JSON.stringify(GLOSSARY);

/** What every metric means, for those who explain a figure. */
function addResources(server: McpServer): void {
  const mimeType = 'application/json';
  server.registerResource(
    'glossary',
    GLOSSARY_URI,
    {
      title: 'Glossary',
      description: 'Every metric by its id: name, unit, meaning, formula and how to read its value.',
      mimeType,
    },
    () => ({ contents: [{ uri: GLOSSARY_URI, mimeType, text: glossary }] }),
  );
}

const BASE = `${BRAND.name} gives crypto market intelligence: prices, metrics, macro events, inflation, AI analyses and the record of every prediction.
It is information, not advice: do not present it as a recommendation to buy or sell.
Every figure carries its source and the moment it was observed, in "meta": name both when you repeat a figure. After "staleAfter" a figure is stale: say so. A null has its reason beside it: do not guess it.
"method" says how a figure came to be: measured, computed, default or demo.
Prices, volumes and market caps are in USD, changes in percent, times in UTC (ISO 8601).
A prediction is worth what its record shows: read get_track_record before you rely on one.
Each call of a tool counts as one call of the key's daily quota; listing tools and reading resources count nothing.`;

const INSTRUCTIONS: Readonly<Record<DataMode, string>> = {
  live: BASE,
  demo: `DEMO DATA: this installation runs on a simulated market. Its figures are made up; say so whenever you repeat one.\n${BASE}`,
};

/** One request at the door. */
export type Visit = {
  headers: IncomingHttpHeaders;
  id: string;
  caller: KeyCaller;
  /** Whether it calls a tool: only then those are known that the key may not use, to be refused in words. */
  calls: boolean;
  /** Its revision of the protocol has no structured content. */
  isOld: boolean;
  /** Gets what the call has left of the limits. */
  spent: (headers: Readonly<Record<string, string>>) => void;
};

type Deps = {
  gate: Gate;
  tools: readonly Tool[];
  teller: Teller;
  mode: DataMode;
  version: string;
  report: ReportError;
};

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

function refusalOf({ message, retryAfterSeconds }: AppError): CallToolResult {
  const again = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
  return failed(`${message}${again && !/[.!?]$/.test(message) ? '.' : ''}${again}`);
}

const mayUse = (caller: KeyCaller, { endpoint }: Tool): boolean =>
  caller.scopes.includes(endpoint.scope) && hasAccess(endpoint.access, caller);

/** A server for one request, with the tools that its key may use. Nothing is kept between requests. */
export function createServer({ gate, tools, teller, mode, version, report }: Deps, visit: Visit): McpServer {
  const server = new McpServer(
    { name: BRAND.name.toLowerCase(), title: BRAND.name, version },
    { instructions: INSTRUCTIONS[mode], capabilities: { tools: { listChanged: false }, resources: {} } },
  );

  async function call(tool: Tool, given: unknown): Promise<CallToolResult> {
    let giveBack = () => undefined as void;
    try {
      const input = tool.parse(given);
      checkAccess(tool.endpoint.access, visit.caller, tool.endpoint.refusal);
      const admission = await gate.admit(visit.headers, tool.endpoint.scope);
      giveBack = admission.giveBack;
      visit.spent(admission.headers);
      const answer = tool.endpoint.reply.parse(await tool.answer({ ...input, caller: admission.caller }));
      const text = `${mode === 'demo' ? 'Demo data, made up for trying things out.\n' : ''}${tool.say(answer, teller)}`;
      const content = [{ type: 'text' as const, text }];
      if (visit.isOld) content.push({ type: 'text', text: JSON.stringify(answer) });
      return { content, structuredContent: answer as Record<string, unknown> };
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return refusalOf(error);
      giveBack();
      if (error instanceof AppError) return refusalOf(error);
      report('server', 'system', `The tool ${tool.name} failed`, {
        requestId: visit.id,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      return failed(`${INTERNAL_MESSAGE} (${visit.id})`);
    }
  }

  for (const tool of tools) {
    if (!visit.calls && !mayUse(visit.caller, tool)) continue;
    const { name, title, description, annotations, inputSchema, outputSchema } = tool;
    server.registerTool(name, { title, description, annotations, inputSchema, outputSchema }, (given) =>
      call(tool, given),
    );
  }
  addResources(server);
  return server;
}
