import type { FastifyInstance, FastifyReply } from 'fastify';
import { FONT, MAIL_STYLE, PALETTE } from './blocks.ts';
import type { Mail } from './mail.ts';
import { escapeHtml, sendPlainPage } from './plain-page.ts';

const { page, card, line, ink, soft } = PALETTE;
const STYLE = [
  `body{margin:0;background:${page};color:${ink};font:16px/26px ${FONT};color-scheme:light dark}`,
  `header{background:${card};border-bottom:1px solid ${line}}`,
  'header>div,main>p{max-width:560px;margin:0 auto;padding:20px 16px}',
  'h1{margin:0 0 12px;font-size:18px;line-height:26px}',
  'dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:2px 16px}dd{margin:0;overflow-wrap:anywhere}',
  `dt,header p,main>p{margin-top:0;color:${soft}}`,
  '@media (prefers-color-scheme:dark){body{background:#0a0d12;color:#f1f4f7}header{background:#12161d;border-color:#262d38}dt,header p,main>p{color:#b9c1cc}}',
  MAIL_STYLE,
].join('');

const send = (reply: FastifyReply, status: number, title: string, head: string, body: string) =>
  sendPlainPage(reply, {
    status,
    title,
    body: `<header><div>${head}</div></header><main>${body}</main>`,
    style: STYLE,
  });

/** Demo mode only: shows the email that would have been sent, to anyone with the link. */
export function demoMailRoute(app: FastifyInstance, mail: Mail): void {
  app.get<{ Params: { token: string } }>('/demo-mail/:token', async ({ params }, reply) => {
    const found = await mail.findDemoMail(params.token);
    if (!found) {
      const body = '<p>Demo emails are shown for 24 hours. Request a new one from the page you came from.</p>';
      return send(reply, 404, 'No demo email', '<h1>Demo email not found</h1>', body);
    }
    const { to, subject, html } = found;
    const [, body = html] = /<body[^>]*>([\s\S]*)<\/body>/i.exec(html) ?? [];
    const head = `<h1>Demo email: nothing was sent</h1><dl><dt>To</dt><dd>${escapeHtml(to)}</dd><dt>Subject</dt><dd>${escapeHtml(subject)}</dd></dl>`;
    return send(reply, 200, subject, head, body);
  });
}
