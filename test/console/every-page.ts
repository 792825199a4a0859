import type { Seen } from './gateway.ts'

/** A page of the console. */
export interface PageRow {
  /** Its heading of level 1; of the pages of the sidebar, the link there, too. */
  readonly name: string
  /** Below `/console/`. */
  readonly path: string
}

/** The pages of the sidebar. */
export const navigation: readonly PageRow[] = [
  'Overview',
  'Calls',
  'Accounts',
  'Models',
  'Explain',
  'Bindings',
  'Jobs',
  'Keys',
  'Teams',
  'Limits',
  'Usage',
  'Prices',
  'Playground',
  'Audit',
  'Configuration',
  'Access',
].map((name) => ({ name, path: name.toLowerCase() }))

/** All pages, with the pages of one account, call and key. */
export function everyPage({ retriedId, unservedId }: Seen): readonly PageRow[] {
  return [
    ...navigation,
    { name: 'openai-main', path: 'accounts/openai-main' },
    { name: 'openai-spare', path: 'accounts/openai-spare' },
    { name: retriedId, path: `calls/${retriedId}` },
    { name: unservedId, path: `calls/${unservedId}` },
    { name: 'search', path: 'keys/search' },
  ]
}

/** Pages on which something is open, chosen, found or asked for. */
export function openPages({ retriedId, unservedId, responseId, jobId }: Seen): readonly PageRow[] {
  return [
    { name: 'Calls', path: 'calls?show=ended' },
    { name: 'Calls', path: `calls?show=ended&open=${retriedId}` },
    { name: 'Calls', path: `calls?open=${unservedId}` },
    { name: 'Models', path: 'models?open=fast' },
    { name: 'Explain', path: 'explain?keyId=search&dialect=chat&model=fast' },
    { name: 'Explain', path: 'explain?keyId=chat&dialect=messages&model=gpt-5.4-pro' },
    { name: 'Bindings', path: `bindings?id=${responseId}&keyId=search` },
    { name: 'Jobs', path: `jobs?id=${jobId}` },
    { name: 'Teams', path: 'teams?team=search' },
    { name: 'Usage', path: 'usage?by=DAY&metric=tokens' },
    { name: 'Prices', path: 'prices?show=unpriced' },
    { name: 'anthropic-eu', path: 'accounts/anthropic-eu' },
    { name: 'archive', path: 'accounts/archive' },
    { name: 'local-old', path: 'accounts/local-old' },
    { name: 'lab', path: 'accounts/lab' },
    { name: 'unknown', path: 'accounts/unknown' },
    { name: 'unknown', path: 'keys/unknown' },
    { name: 'req_unknown', path: 'calls/req_unknown' },
  ]
}
