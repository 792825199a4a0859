import type { Seen } from './gateway.ts'

/** A page of the console. */
export interface PageRow {
  /** Its heading of level 1, and its link in the sidebar. */
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
