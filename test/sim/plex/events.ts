import type { ServerResponse } from 'node:http';
import type { Item } from './item';
import { typeNumbers } from './section';

const pingMs = 10_000;

/** A running scan, as `/activities` and the event stream tell it. */
export interface Activity {
  uuid: string;
  title: string;
  subtitle: string;
  /** In percent. */
  progress: number;
  sectionKey: number;
}

/** How far an item is. Libraries without an agent stop at `matched`, the others go on to `processed`. */
const timelineStates = { created: 0, matched: 1, processed: 5, deleted: 9 } as const;
export type TimelineState = keyof typeof timelineStates;

/** The streams of `/:/eventsource/notifications`: plain server-sent events without a common envelope. */
export class Events {
  readonly #listeners = new Map<ServerResponse, ReadonlySet<string> | null>();

  /** `filters` are the kinds of event that the listener wants; all when null. */
  listen(response: ServerResponse, filters: ReadonlySet<string> | null): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.#listeners.set(response, filters);
    send(response, 'ping', {});
    const pings = setInterval(() => send(response, 'ping', {}), pingMs).unref();
    response.on('close', () => {
      this.#listeners.delete(response);
      clearInterval(pings);
    });
  }

  activity(event: 'started' | 'updated' | 'ended', activity: Activity): void {
    const { uuid, title, subtitle, progress, sectionKey } = activity;
    this.#publish('activity', {
      ActivityNotification: {
        event,
        uuid,
        Activity: {
          uuid,
          type: 'library.update.section',
          cancellable: false,
          userID: 1,
          title,
          subtitle,
          progress,
          Context: { librarySectionID: String(sectionKey) },
        },
      },
    });
  }

  timeline(item: Item, state: TimelineState): void {
    this.#publish('timeline', {
      TimelineEntry: {
        identifier: 'com.plexapp.plugins.library',
        sectionID: String(item.section.key),
        itemID: String(item.ratingKey),
        type: typeNumbers[item.section.type],
        title: item.values.title ?? '',
        state: timelineStates[state],
        updatedAt: item.updatedAt,
      },
    });
  }

  #publish(type: string, data: object): void {
    for (const [response, filters] of this.#listeners) {
      if (filters === null || filters.has(type)) send(response, type, data);
    }
  }
}

function send(response: ServerResponse, type: string, data: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
}
