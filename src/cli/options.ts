import type { Option } from './command.ts'

/** The options of every command. */
export const commonOptions: readonly Option[] = [
  { name: 'help', short: 'h', help: 'Show this help' },
  { name: 'debug', help: 'Show the stack traces of errors' },
]

/** `--config FILE`. */
export const configOption: Option = {
  name: 'config',
  short: 'c',
  value: 'FILE',
  help: 'Configuration file (default: dragoman.config.{ts,mts,js,mjs,json,yaml,yml} in this directory)',
}

/** `--store URL`. */
export const storeOption: Option = {
  name: 'store',
  value: 'URL',
  help: 'Store of the records: file:DIR, redis://HOST:PORT or memory: (default: file:.dragoman)',
}

/** `--url URL`, `--token TOKEN` and `--insecure`: a running gateway, in place of its store. */
export const remoteOptions: readonly Option[] = [
  {
    name: 'url',
    value: 'URL',
    help: 'Admin address of a running gateway, http://127.0.0.1:8788 (default: DRAGOMAN_ADMIN_URL)',
  },
  {
    name: 'token',
    value: 'TOKEN',
    help: 'Admin token: file:/path or env:NAME, since others can see a command line (default: DRAGOMAN_ADMIN_TOKEN)',
  },
  {
    name: 'insecure',
    help: 'Send the token over http to another machine, where others may read it',
  },
]

/** `--limit N`. */
export const limitOption: Option = {
  name: 'limit',
  value: 'N',
  help: 'List so many at most (default: all)',
}

/** `--reason TEXT`. */
export const reasonOption: Option = {
  name: 'reason',
  value: 'TEXT',
  help: 'Why, for the audit log',
}

/** `--json`. */
export const jsonOption: Option = { name: 'json', help: 'Print JSON' }

/** The options of `serve` and `check`. */
export const serverOptions: readonly Option[] = [
  configOption,
  { name: 'port', short: 'p', value: 'PORT', help: 'Port of the API (default: 8787)' },
  { name: 'host', value: 'HOST', help: 'Address of the API (default: 127.0.0.1)' },
  { name: 'admin-port', value: 'PORT', help: 'Port of the admin address (default: 8788)' },
  { name: 'admin-host', value: 'HOST', help: 'Admin address (default: 127.0.0.1)' },
  { name: 'admin', value: 'on|off', help: 'Whether there is an admin API (default: on)' },
  {
    name: 'public-url',
    value: 'URL',
    help: 'URL of this gateway for clients, in URLs that it issues',
  },
  storeOption,
  {
    name: 'workers',
    value: 'N',
    help: 'Number of processes on the same ports and store (default: 1)',
  },
  {
    name: 'log-level',
    value: 'LEVEL',
    help: 'Least level of the log: debug, info, warn, error or off (default: info)',
  },
  {
    name: 'log-format',
    value: 'FORMAT',
    help: 'Form of log lines: json, pretty, or auto: pretty on a terminal (default: auto)',
  },
]
