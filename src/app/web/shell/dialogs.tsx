import { useEffect } from 'react';
import { Modal } from '#ui/modal.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { markNewsRead } from './news-read.ts';
import { SettingsDialog } from './settings-dialog.tsx';

/** What each version brought, in the words of the changelog for people who use it. */
function NewsDialog({ onClose }: { onClose: () => void }) {
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

/** What can lie above every page. The palette has a file of its own. */
export type Overlay = 'palette' | 'settings' | 'keys' | 'news';

export type DialogsProps = {
  open: Exclude<Overlay, 'palette'>;
  onOpen: (overlay: Overlay) => void;
  onClose: () => void;
};

export function Dialogs({ open, onOpen, onClose }: DialogsProps) {
  if (open === 'keys') return <KeysDialog onClose={onClose} />;
  if (open === 'news') return <NewsDialog onClose={onClose} />;
  return <SettingsDialog onOpen={onOpen} onClose={onClose} />;
}
