import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Answer } from './answer';
import type { Behaviour } from './behaviour';
import type { Catalogue } from './catalogue';
import type { Events } from './events';
import type { Query } from './query';
import type { RequestKind } from './records';
import type { Scanner } from './scanner';

/** All that the routes work on. */
export interface World {
  catalogue: Catalogue;
  behaviour: Behaviour;
  scanner: Scanner;
  events: Events;
}

/** A request, as the routes see it. */
export interface Ask {
  query: Query;
  headers: IncomingHttpHeaders;
  /** The client wants JSON. */
  json: boolean;
  /** The server's owner. Others may read and rate. */
  admin: boolean;
  body: () => Promise<Buffer>;
}

export interface Route {
  kind: RequestKind;
  /** Who may: anyone without a token, everyone with a valid one, or the owner. */
  access: 'anyone' | 'user' | 'admin';
  answer: (ask: Ask, world: World) => Answer | Promise<Answer>;
  /** In place of an answer: takes the response and keeps it. */
  stream?: (ask: Ask, world: World, response: ServerResponse) => void;
}
