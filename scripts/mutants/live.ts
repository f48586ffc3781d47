import type { Mutant } from '#tests/support/mutant.ts';

const LIVE = 'src/kernel/live';
const HUB = { file: `${LIVE}/hub.ts`, tests: [`${LIVE}/hub.test.ts`] };
const STREAM = { file: `${LIVE}/live.ts`, tests: [`${LIVE}/live.test.ts`] };
const ACCOUNT = ['src/features/accounts/server/auth/stream.test.ts'];

/** Errors in the live stream: frames lost, duplicated, or sent to another account. */
export const MUTANTS: Mutant[] = [
  {
    ...HUB,
    name: 'a frame reaches other accounts',
    from: '(recipient === null || recipient === client.owner?.userId)',
    to: 'true',
    tests: ACCOUNT,
  },
  {
    ...HUB,
    name: 'topics not asked for',
    from: 'client.topics.has(topic) &&',
    to: '',
    tests: [`${LIVE}/live.test.ts`],
  },
  {
    ...HUB,
    name: 'missed frames are not replayed',
    from: 'for (const { encoded } of missed()) if (encoded) write(client, encoded);',
    to: '',
  },
  { ...HUB, name: 'the last frame is sent twice', from: 'buffered.id > from', to: 'buffered.id >= from' },
  { ...HUB, name: 'a gap goes unnoticed', from: 'lastId >= floor && lastId <= newest', to: 'lastId <= newest' },
  {
    ...HUB,
    name: 'a slow reader is never dropped',
    from: 'client.socket.writableLength > maxBacklogBytes',
    to: 'false',
  },
  {
    ...HUB,
    name: 'compressed messages depend on earlier ones',
    from: 'constants.Z_FULL_FLUSH, () =>',
    to: 'constants.Z_SYNC_FLUSH, () =>',
  },
  { ...HUB, name: 'chunks for HTTP/1.0', from: 'client.chunked ? body : unchunk(body)', to: 'body' },
  {
    ...HUB,
    name: 'a stream that is opening outlives its session',
    from: '[...clients, ...opening]',
    to: '[...opening]',
    tests: ACCOUNT,
  },
  {
    ...HUB,
    name: 'streams of other sessions end',
    from: "if (sessions !== 'all' && (",
    to: 'if (false && (',
    tests: ACCOUNT,
  },
  {
    ...STREAM,
    name: 'a frame is delivered twice',
    from: 'where id > ${lastId} order by id',
    to: 'where id >= ${lastId} order by id',
  },
  { ...STREAM, name: 'frames lost in a crash go unnoticed', from: 'if (!lost) return;', to: 'return;' },
  {
    ...STREAM,
    name: 'a payload that breaks its contract is published',
    from: 'if (validate) topic.data.parse(data);\n    await sql`select publish_frame(',
    to: 'await sql`select publish_frame(',
  },
];
