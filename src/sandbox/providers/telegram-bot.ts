/** One account that writes to bots, or a group. */
export type Chat = {
  id: number;
  type: 'private' | 'group';
  first_name?: string;
  username?: string;
  title?: string;
};
type User = { id: number; is_bot: boolean; first_name: string; username?: string };

/** A Bot API message; `markup` has the source of formatted text. */
export type Message = {
  message_id: number;
  date: number;
  chat: Chat;
  from: User;
  text: string;
  entities?: { type: string; offset: number; length: number }[];
  /** Sandbox only: the HTML the bot sent. */
  markup?: string;
};
type Update = { update_id: number; [kind: string]: unknown };
type Webhook = {
  url: string;
  secret: string | undefined;
  /** Why the last update could not be posted. */
  failed?: { at: number; reason: string };
};
type LongPoll = { end: (conflict: boolean) => void };

const USERNAME = 'MeridianDemoBot';
const MAX_MESSAGES = 200;

/** One bot as Telegram knows it: its chats, its pending updates and its messages. */
export class TelegramBot {
  readonly user: User;
  readonly chats = new Map<number, { chat: Chat; blocked: boolean; messages: Message[] }>();
  readonly commands: unknown[] = [];
  webhook: Webhook | null = null;
  #updates: Update[] = [];
  #last: Update | null = null;
  #nextUpdate = 1000;
  #nextMessage = 1;
  #now = 0;
  #longPoll: LongPoll | null = null;

  constructor(id: number) {
    this.user = { id, is_bot: true, first_name: 'Meridian', username: USERNAME };
  }

  /** Pending updates from `offset` on; earlier ones count as read. */
  pending(offset: number): Update[] {
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= offset);
    return this.#updates;
  }

  /** Only one reader at a time: a new request ends the long poll in progress. */
  interruptLongPoll(): void {
    this.#longPoll?.end(true);
  }

  /** Resolves on an update, on timeout, or with true when interrupted by another reader. */
  async wait(seconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (conflict: boolean) => {
        clearTimeout(timer);
        if (this.#longPoll === longPoll) this.#longPoll = null;
        resolve(conflict);
      };
      const timer = setTimeout(() => end(false), seconds * 1000);
      timer.unref();
      const longPoll: LongPoll = { end };
      this.#longPoll = longPoll;
    });
  }

  /** A user writes to the bot, or in a group the bot is in. */
  async receive(chat: Chat, text: string, now: number): Promise<void> {
    this.#now = now;
    const entry = this.#entryOf(chat);
    entry.blocked = false;
    const from = { id: Math.abs(chat.id), is_bot: false, first_name: chat.first_name ?? 'A person' };
    const [command = ''] = text.split(/\s/, 1);
    const message: Message = {
      message_id: this.#nextMessage++,
      date: Math.floor(now / 1000),
      chat,
      from,
      text,
      ...(command.startsWith('/') ? { entities: [{ type: 'bot_command', offset: 0, length: command.length }] } : {}),
    };
    appendMessage(entry.messages, message);
    await this.#push({ message });
  }

  /** The user blocks or unblocks the bot; with `silently` the update is lost. */
  async block(chat: Chat, blocked: boolean, silently: boolean, now: number): Promise<void> {
    this.#now = now;
    this.#entryOf(chat).blocked = blocked;
    if (silently) return;
    const [before, after] = blocked ? ['member', 'kicked'] : ['kicked', 'member'];
    const from = { id: Math.abs(chat.id), is_bot: false, first_name: 'A person' };
    const [old_chat_member, new_chat_member] = [before, after].map((status) => ({ user: this.user, status }));
    await this.#push({
      my_chat_member: { chat, from, date: Math.floor(now / 1000), old_chat_member, new_chat_member },
    });
  }

  send(chat: Chat, text: string, markup: string | null, now: number): Message {
    const message: Message = {
      message_id: this.#nextMessage++,
      date: Math.floor(now / 1000),
      chat,
      from: this.user,
      text,
      ...(markup === null ? {} : { markup }),
    };
    appendMessage(this.#entryOf(chat).messages, message);
    return message;
  }

  /** Delivers the last update again, as Telegram does when unsure of its delivery. */
  async repeat(): Promise<void> {
    if (this.#last) await this.#deliver(this.#last);
  }

  #entryOf(chat: Chat) {
    const entry = this.chats.get(chat.id) ?? { chat, blocked: false, messages: [] };
    this.chats.set(chat.id, entry);
    return entry;
  }

  async #push(content: object): Promise<void> {
    const update: Update = { update_id: this.#nextUpdate++, ...content };
    this.#last = update;
    await this.#deliver(update);
  }

  async #deliver(update: Update): Promise<void> {
    if (this.webhook) {
      const reason = await postUpdate(this.webhook, update);
      if (reason === null) return;
      this.webhook.failed = { at: this.#now, reason };
    }
    this.#updates.push(update);
    this.#longPoll?.end(false);
  }
}

/** Why an address did not accept it, in Telegram's words; null on success. */
async function postUpdate({ url, secret }: Webhook, update: Update): Promise<string | null> {
  const headers = {
    'content-type': 'application/json',
    ...(secret === undefined ? {} : { 'x-telegram-bot-api-secret-token': secret }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(update) }).catch(() => undefined);
  if (!response) return 'Connection refused';
  return response.ok ? null : `Wrong response from the webhook: ${response.status} ${response.statusText}`;
}

function appendMessage(messages: Message[], message: Message): void {
  messages.push(message);
  if (messages.length > MAX_MESSAGES) messages.shift();
}
