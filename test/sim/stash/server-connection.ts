import { cookieName } from './session';

/** How Stash tells a plugin where to find it. Keys and their order are Stash's. */
export interface ServerConnection {
  Scheme: 'http' | 'https';
  Host: string;
  Port: number;
  SessionCookie: {
    Name: string;
    Value: string;
    Quoted: boolean;
    Path: string;
    Domain: string;
    Expires: string;
    RawExpires: string;
    MaxAge: number;
    Secure: boolean;
    HttpOnly: boolean;
    SameSite: number;
    Partitioned: boolean;
    Raw: string;
    Unparsed: null;
  };
  Dir: string;
  PluginDir: string;
}

export interface ConnectionFields {
  scheme?: 'http' | 'https';
  host?: string;
  port?: number;
  cookie?: string;
  dir: string;
  pluginDir: string;
}

export function serverConnection(fields: ConnectionFields): ServerConnection {
  return {
    Scheme: fields.scheme ?? 'http',
    Host: fields.host ?? '0.0.0.0',
    Port: fields.port ?? 9999,
    SessionCookie: {
      Name: cookieName,
      Value: fields.cookie ?? 'the-session-cookie',
      Quoted: false,
      Path: '',
      Domain: '',
      Expires: '0001-01-01T00:00:00Z',
      RawExpires: '',
      MaxAge: 0,
      Secure: false,
      HttpOnly: false,
      SameSite: 0,
      Partitioned: false,
      Raw: '',
      Unparsed: null,
    },
    Dir: fields.dir,
    PluginDir: fields.pluginDir,
  };
}
