import type { IncomingHttpHeaders } from 'node:http';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { Gate, KeyCaller } from '#features/api/server/api-keys/service.ts';
import type { ReportError } from '#kernel/error-reports.ts';
import { AppError, INTERNAL_MESSAGE } from '#kernel/errors.ts';
import { checkAccess, hasAccess } from '#kernel/route.ts';
import { BRAND } from '#shared/brand.ts';
import { GLOSSARY } from '#shared/glossary.ts';
import type { DataMode } from '#shared/provenance.ts';

import type { ToolFormatter } from './format.ts';
import type { Tool } from './tools.ts';

const GLOSSARY_URI = 'meridian://glossary';

const glossary = JSON.stringify(GLOSSARY);

/** Definitions of all metrics. */
function addResources(server: McpServer): void {
  const mimeType = 'application/json';
  server.registerResource(
    'glossary',
    GLOSSARY_URI,
    {
      title: 'Glossary',
      description: 'All metrics by ID: name, unit, definition, formula and interpretation.',
      mimeType,
    },
    () => ({ contents: [{ uri: GLOSSARY_URI, mimeType, text: glossary }] }),
  );
}

const BASE = `${BRAND.name} provides crypto market intelligence: prices, metrics, macro events, inflation data, AI analyses and the track record of every prediction.
It is information, not advice: do not present it as a recommendation to buy or sell.
Every figure has its source and observation time in "meta": cite both when you quote a figure. After "staleAfter" a figure is stale: say so. For a null value, "meta" gives the reason: do not guess the value.
"method" is how a figure was obtained: measured, computed, default or demo.
Prices, volumes and market caps are in USD, changes in percent and times in UTC (ISO 8601).
Judge predictions by their track record: call get_track_record before you rely on one.
Each tool call counts as one call against the daily quota of the account; listing tools and reading resources are free.`;

const INSTRUCTIONS: Readonly<Record<DataMode, string>> = {
  live: BASE,
  demo: `DEMO DATA: this installation runs on a simulated market. All figures are simulated; say so whenever you quote one.\n${BASE}`,
};

/** One MCP request. */
export type McpCall = {
  headers: IncomingHttpHeaders;
  id: string;
  caller: KeyCaller;
  /** Whether it calls a tool: only then are tools outside the key's scope registered, to be refused with a message. */
  calls: boolean;
  /** Its protocol revision has no structured content. */
  isOld: boolean;
  /** Receives the remaining limits of the call. */
  spent: (headers: Readonly<Record<string, string>>) => void;
};

type Deps = {
  gate: Gate;
  tools: readonly Tool[];
  formatter: ToolFormatter;
  mode: DataMode;
  version: string;
  report: ReportError;
};

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true });

function toErrorResult({ message, retryAfterSeconds }: AppError): CallToolResult {
  const again = retryAfterSeconds === undefined ? '' : ` Try again in ${retryAfterSeconds} s.`;
  return failed(`${message}${again && !/[.!?]$/.test(message) ? '.' : ''}${again}`);
}

const mayUse = (caller: KeyCaller, { endpoint }: Tool): boolean =>
  caller.scopes.includes(endpoint.scope) && hasAccess(endpoint.access, caller);

/** A server for one request, with the tools available to its key. Stateless between requests. */
export function createServer({ gate, tools, formatter, mode, version, report }: Deps, visit: McpCall): McpServer {
  const server = new McpServer(
    { name: BRAND.name.toLowerCase(), title: BRAND.name, version },
    { instructions: INSTRUCTIONS[mode], capabilities: { tools: { listChanged: false }, resources: {} } },
  );

  async function call(tool: Tool, given: unknown): Promise<CallToolResult> {
    let refundCall = () => undefined as void;
    try {
      const input = tool.parse(given);
      checkAccess(tool.endpoint.access, visit.caller, tool.endpoint.refusal);
      const admission = await gate.admit(visit.headers, tool.endpoint.scope);
      refundCall = admission.giveBack;
      visit.spent(admission.headers);
      const answer = tool.endpoint.reply.parse(await tool.answer({ ...input, caller: admission.caller }));
      const text = `${mode === 'demo' ? 'Demo data: all figures are simulated.\n' : ''}${tool.format(answer, formatter)}`;
      const content = [{ type: 'text' as const, text }];
      if (visit.isOld) content.push({ type: 'text', text: JSON.stringify(answer) });
      return { content, structuredContent: answer as Record<string, unknown> };
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return toErrorResult(error);
      refundCall();
      if (error instanceof AppError) return toErrorResult(error);
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
