import { STATUS_CODES } from 'node:http';
import { type Element, toJson, toXml } from './element';

/** What goes back to the client. Bodies of errors are HTML or XML, also when JSON was asked for. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What Plex sends after an edit, an upload or a scan: 200 without a body. */
export function done(): Answer {
  return { status: 200, headers: { 'content-type': 'text/html' }, body: '' };
}

export function refusal(status: number, headers: Record<string, string> = {}): Answer {
  const title = STATUS_CODES[status] ?? 'Error';
  return {
    status,
    headers: { 'content-type': 'text/html', ...headers },
    body: `<html><head><title>${title}</title></head><body><h1>${status} ${title}</h1></body></html>`,
  };
}

/** Plex while it starts: the port listens before the database is ready. */
export function maintenance(headers: Record<string, string> = {}): Answer {
  return {
    status: 503,
    headers: { 'content-type': 'text/xml;charset=utf-8', ...headers },
    body:
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<Response code="503" title="Maintenance" status="Plex Media Server is currently running database migrations."/>\n',
  };
}

export function document(root: Element, json: boolean, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    headers: { 'content-type': json ? 'application/json' : 'text/xml;charset=utf-8', ...headers },
    body: json ? toJson(root) : toXml(root),
  };
}

/** Thrown by whatever finds a request wrong; the server answers with its status. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    why: string,
  ) {
    super(why);
  }
}
