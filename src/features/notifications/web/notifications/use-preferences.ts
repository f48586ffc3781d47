import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Preferences, savePreferences } from '#features/notifications/contract/notifications.ts';
import { CallError, call } from '#ui/api/client.ts';
import { tokenNow, useToken } from '#ui/session.ts';
import { toast } from '#ui/toast.ts';
import { preferencesQuery } from './queries.ts';

type Change = (preferences: Preferences) => Preferences;

const SAVED = 'Notification preferences saved successfully!';
/** Changes in quick succession are announced once. */
const TOAST_DEBOUNCE_MS = 700;

const isRefusal = (error: unknown): boolean => error instanceof CallError && error.status >= 400 && error.status < 500;

function errorSentence(error: unknown): string {
  if (!(error instanceof CallError) || error.code === 'network') return 'Error saving preferences';
  return `Failed to save preferences: ${error.told ? error.message : 'Unknown error'}`;
}

/**
 * Unsaved changes to the preferences. One save at a time, each with the whole object; changes made during a save go
 * with the next. It outlives the page, so that leaving loses no change.
 */
class Autosave {
  readonly #queries: QueryClient;
  readonly #token: string;
  readonly #listeners = new Set<() => void>();
  /** Sent and not yet confirmed. */
  #sent: readonly Change[] = [];
  #later: readonly Change[] = [];
  #unsaved: readonly Change[] = [];
  #running = false;
  #told: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient, token: string) {
    this.#queries = queries;
    this.#token = token;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Applied on top of the stored preferences, in order; the same array while nothing changes. */
  readonly unsaved = (): readonly Change[] => this.#unsaved;

  readonly change = (change: Change): void => {
    clearTimeout(this.#told);
    this.#set(this.#sent, [...this.#later, change]);
    if (!this.#running) void this.#run();
  };

  #set(sent: readonly Change[], later: readonly Change[]): void {
    this.#sent = sent;
    this.#later = later;
    this.#unsaved = [...sent, ...later];
    for (const tell of this.#listeners) tell();
  }

  async #run(): Promise<void> {
    this.#running = true;
    let saved = false;
    while (this.#later.length > 0) {
      this.#set([...this.#sent, ...this.#later], []);
      saved = await this.#save();
    }
    this.#running = false;
    if (saved) this.#told = setTimeout(() => toast('success', SAVED), TOAST_DEBOUNCE_MS);
  }

  async #save(): Promise<boolean> {
    const { queryKey } = preferencesQuery(this.#token);
    const stored = this.#queries.getQueryData(queryKey);
    if (!stored || tokenNow() !== this.#token) {
      this.#set([], []);
      return false;
    }
    const body = this.#sent.reduce((preferences, change) => change(preferences), stored);
    try {
      const { preferences } = await call(savePreferences, { body });
      // An older response in flight would undo the change.
      await this.#queries.cancelQueries({ queryKey });
      this.#queries.setQueryData(queryKey, preferences);
      this.#set([], this.#later);
      if (!sameWays(stored, preferences)) void this.#queries.invalidateQueries({ queryKey: ['subscription'] });
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** Later changes are retried together with what could not be sent; a refused change is dropped alone. */
  #failed(error: unknown): void {
    if (this.#later.length > 0 && !isRefusal(error)) return;
    this.#set([], this.#later);
    toast('error', errorSentence(error));
    // The response may have been lost, not the save.
    void this.#queries.invalidateQueries({ queryKey: preferencesQuery(this.#token).queryKey });
  }
}

/** The switches that the profile shows too. */
const sameWays = (a: Preferences, b: Preferences): boolean =>
  a.emailNotifications === b.emailNotifications &&
  a.pushNotifications === b.pushNotifications &&
  a.telegramNotifications === b.telegramNotifications;

const autosaves = new WeakMap<QueryClient, Map<string, Autosave>>();

/** The instance for this browser and user. */
function getAutosave(queries: QueryClient, token: string): Autosave {
  const own = autosaves.get(queries) ?? new Map<string, Autosave>();
  autosaves.set(queries, own);
  const autosave = own.get(token) ?? new Autosave(queries, token);
  own.set(token, autosave);
  return autosave;
}

/** Applies a change to the preferences; the whole object is saved. */
export type OnChange = (change: Change) => void;

/** The preferences as shown: stored values with unsaved changes applied. */
export function usePreferences() {
  const token = useToken();
  const queries = useQueryClient();
  const query = useQuery(preferencesQuery(token));
  const autosave = useMemo(() => getAutosave(queries, token ?? ''), [queries, token]);
  const unsaved = useSyncExternalStore(autosave.subscribe, autosave.unsaved);
  const saving = unsaved.length > 0;
  useEffect(() => {
    if (!saving) return undefined;
    const hold = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', hold);
    return () => removeEventListener('beforeunload', hold);
  }, [saving]);
  const shown = query.data && unsaved.reduce((preferences, change) => change(preferences), query.data);
  return { token, query, shown, saving, change: autosave.change };
}
