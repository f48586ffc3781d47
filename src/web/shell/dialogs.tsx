import { KeysDialog } from './keys-dialog.tsx';
import { NewsDialog } from './news-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';

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
