import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path/posix';
import { cookieName, type Sessions, type SessionValues } from './session';

export interface Credentials {
  username: string;
  apiKey: string;
}

export type Admission =
  | { kind: 'admitted'; session: SessionValues; setCookie?: string }
  | { kind: 'unauthorized' }
  | { kind: 'to-login'; location: string };

/**
 * Who may come in. An API key is looked at first, and a wrong one is refused even where nothing is asked for;
 * every cookie that is still good is renewed, also where none is needed.
 */
export function admit(
  request: IncomingMessage,
  url: URL,
  sessions: Sessions,
  credentials: Credentials,
): Admission {
  const apiKey = request.headers.apikey ?? url.searchParams.get('apikey') ?? '';
  if (apiKey !== '') {
    if (apiKey !== credentials.apiKey) return { kind: 'unauthorized' };
    return { kind: 'admitted', session: { user: credentials.username, visited: [] } };
  }
  const cookie = cookies(request).get(cookieName);
  const session = cookie ? sessions.read(cookie) : null;
  if (credentials.username !== '' && !session?.user) return refusal(url);
  if (!session) return { kind: 'admitted', session: { user: '', visited: [] } };
  return { kind: 'admitted', session, setCookie: sessions.setCookie(session) };
}

/** Pages go to the login; GraphQL and whatever has an extension gets a plain 401. */
function refusal(url: URL): Admission {
  const extension = extname(url.pathname);
  if (url.pathname === '/graphql' || (extension !== '' && extension !== '.html'))
    return { kind: 'unauthorized' };
  const back = new URLSearchParams({ returnURL: url.pathname + url.search });
  return { kind: 'to-login', location: `/login?${back}` };
}

function cookies(request: IncomingMessage): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('='));
  return new Map(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}
