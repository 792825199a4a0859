import type { Option } from './command.ts'

/** Understood by every command. */
export const commonOptions: readonly Option[] = [
  { name: 'help', short: 'h', help: 'Show this help' },
  { name: 'debug', help: 'Show stacks of errors' },
]

export const configOption: Option = {
  name: 'config',
  short: 'c',
  value: 'FILE',
  help: 'Configuration (default: dragoman.config.{ts,mts,js,mjs,json,yaml,yml} here)',
}

export const storeOption: Option = {
  name: 'store',
  value: 'URL',
  help: 'Where records are kept: file:DIR, redis://HOST:PORT or memory: (default: file:.dragoman)',
}

export const jsonOption: Option = { name: 'json', help: 'Print JSON' }

/** What a server listens on and works with. */
export const serverOptions: readonly Option[] = [
  configOption,
  { name: 'port', short: 'p', value: 'PORT', help: 'Port for clients (default: 8787)' },
  { name: 'host', value: 'HOST', help: 'Address for clients (default: 127.0.0.1)' },
  { name: 'admin-port', value: 'PORT', help: 'Port for operators (default: 8788)' },
  { name: 'admin-host', value: 'HOST', help: 'Address for operators (default: 127.0.0.1)' },
  {
    name: 'public-url',
    value: 'URL',
    help: 'Where clients find this gateway, for URLs that it hands out',
  },
  storeOption,
  {
    name: 'workers',
    value: 'N',
    help: 'Processes that serve, on the same ports and the same store (default: 1)',
  },
]
