import { useEffect, useState } from 'react';

import { Card } from '#web/ui/card.tsx';
import { CornerButton } from '#web/ui/corner-button.tsx';
import { FormNote } from '#web/ui/form.tsx';

import type { Subscription } from '../contract.ts';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileForm } from './profile-form.tsx';

const SAVED = 'Profile updated successfully!';
const SAVED_MS = 3000;

/** Who one is here, to read and to change. */
export function ProfileCard({ subscription }: { subscription: Subscription }) {
  const [editing, setEditing] = useState(false);
  const [saved, setSaved] = useState(0);
  const [demoMail, setDemoMail] = useState<string>();
  useEffect(() => {
    if (saved === 0) return undefined;
    const timer = setTimeout(() => setSaved(0), SAVED_MS);
    return () => clearTimeout(timer);
  }, [saved]);
  return (
    <Card id="account" title="Account" className="relative">
      <CornerButton onClick={() => setEditing(!editing)}>{editing ? 'Cancel' : 'Edit'}</CornerButton>
      <div className="grid gap-3 px-4 pt-1 pb-4">
        {saved > 0 && <FormNote>{SAVED}</FormNote>}
        {editing ? (
          <ProfileForm
            subscription={subscription}
            onSaved={(mail) => {
              setDemoMail(mail);
              setEditing(false);
              setSaved(Date.now());
            }}
          />
        ) : (
          <ProfileFacts subscription={subscription} demoMail={demoMail} />
        )}
      </div>
    </Card>
  );
}
