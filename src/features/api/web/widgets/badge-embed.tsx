import { useState } from 'react';
import { HORIZONS, type Horizon } from '#features/analysis/contract/predictions.ts';
import { BADGE_PATH } from '#features/api/contract/widgets-names.ts';
import { BRAND } from '#shared/brand.ts';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { Segmented } from '#ui/segmented.tsx';

const RECORDS = ['Live', 'Replay'] as const;
const HEIGHT = 46;

export type BadgeEmbedProps = {
  /** Public name in the open league; the badge links to that forecaster's page. */
  forecaster?: string;
};

/** The track record badge, and its embed code. */
export function BadgeEmbed({ forecaster }: BadgeEmbedProps) {
  const [horizon, setHorizon] = useState<Horizon>('24h');
  const [record, setRecord] = useState<(typeof RECORDS)[number]>('Live');
  const isReplay = record === 'Replay';
  const ofLeague = forecaster && `&record=league&track=${encodeURIComponent(forecaster)}`;
  const path = `${BADGE_PATH}?horizon=${horizon}${ofLeague ?? (isReplay ? '&record=replay' : '')}`;
  const { origin } = globalThis.location;
  const [src, link] = [
    `${origin}${path}`,
    `${origin}/app/track-record${forecaster ? `/league/${encodeURIComponent(forecaster)}` : ''}`,
  ];
  const alt = forecaster
    ? `${forecaster} in the ${BRAND.name} open league, ${horizon}`
    : `${BRAND.name} track record, ${horizon}${isReplay ? ', replay' : ''}`;
  const texts = {
    HTML: `<a href="${link}"><img src="${src.replaceAll('&', '&amp;')}" alt="${alt}" height="${HEIGHT}"></a>`,
    Markdown: `[![${alt}](${src})](${link})`,
  };
  return (
    <Card
      id="badge"
      title="Embed This Badge"
      note={<p className="label">Updates automatically, no key needed</p>}
      action={
        <>
          {!forecaster && <Segmented label="Badge record" value={record} options={RECORDS} onChange={setRecord} />}
          <Segmented label="Badge horizon" value={horizon} options={HORIZONS} onChange={setHorizon} />
        </>
      }
    >
      <div className="grid min-w-0 gap-4 px-4 pt-1 pb-5">
        <img src={path} alt={alt} height={HEIGHT} className="max-w-full" style={{ height: HEIGHT }} />
        {Object.entries(texts).map(([name, text]) => (
          <CodeBlock
            key={name}
            head={<p className="text-sm font-medium">{name}</p>}
            label={`Badge ${name}`}
            text={text}
            what={name}
            wrap
          />
        ))}
      </div>
    </Card>
  );
}
