import { useState } from 'react';
import { CodeBlock } from '#web/ui/code-block.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import type { Call } from './document.ts';
import { type Inputs, KEY_NAME, SAMPLES } from './samples.ts';

const NAMES = SAMPLES.map(([name]) => name);

/** The call as filled in, to copy. The key stays out of it: it is read from the environment. */
export function SamplesView({ call, inputs }: { call: Call; inputs: Inputs }) {
  const [chosen, choose] = useState<(typeof NAMES)[number]>('curl');
  const make = SAMPLES.find(([name]) => name === chosen)?.[1];
  return (
    <div className="grid min-w-0 gap-3">
      <h4 className="font-semibold">Samples</h4>
      <CodeBlock
        head={
          <Segmented
            label={`Language of ${call.id}`}
            value={chosen}
            options={NAMES}
            onChange={choose}
            className="max-w-full"
          />
        }
        label={`Sample in ${chosen} of ${call.id}`}
        text={make?.(call, inputs, location.origin) ?? ''}
        what="Sample"
      />
      <p className="text-xs text-ink-3">
        They follow what you fill in, and read the key from {KEY_NAME}.
        {chosen === 'Client' &&
          ' The client is one file without dependencies: clients/typescript/client.ts of this product.'}
      </p>
    </div>
  );
}
