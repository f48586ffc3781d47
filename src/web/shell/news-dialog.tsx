import { useEffect } from 'react';

import { Modal } from '#web/ui/modal.tsx';

import { markNewsRead } from './news-read.ts';

/** What each version brought, in the words of the changelog for people who use it. */
export function NewsDialog({ onClose }: { onClose: () => void }) {
  useEffect(markNewsRead, []);
  return (
    <Modal title="What’s new" onClose={onClose}>
      <div className="grid gap-4">
        {__NEWS__.map(({ version, lines }) => (
          <section key={version} aria-label={`Version ${version}`}>
            <h3 className="label mb-1">Version {version}</h3>
            <ul className="text-sm text-ink-2">
              {lines.map((line) => (
                <li key={line} className="border-t border-line py-2">
                  {line}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Modal>
  );
}
