/** A page of the sidebar; `key` opens it after `g`. */
export interface NavigationPage {
  readonly to: PagePath
  readonly name: string
  readonly key?: string
}

/** The paths of the pages of the sidebar. */
export type PagePath =
  | '/overview'
  | '/calls'
  | '/accounts'
  | '/models'
  | '/explain'
  | '/bindings'
  | '/jobs'
  | '/keys'
  | '/teams'
  | '/limits'
  | '/usage'
  | '/prices'
  | '/playground'
  | '/audit'
  | '/configuration'
  | '/access'

/** The pages by their groups, in the order of the sidebar. */
export const navigation: readonly {
  readonly group: string
  readonly pages: readonly NavigationPage[]
}[] = [
  {
    group: 'Now',
    pages: [
      { to: '/overview', name: 'Overview', key: 'o' },
      { to: '/calls', name: 'Calls', key: 'c' },
    ],
  },
  {
    group: 'Routing',
    pages: [
      { to: '/accounts', name: 'Accounts', key: 'a' },
      { to: '/models', name: 'Models', key: 'm' },
      { to: '/explain', name: 'Explain', key: 'e' },
      { to: '/bindings', name: 'Bindings', key: 'b' },
      { to: '/jobs', name: 'Jobs', key: 'j' },
    ],
  },
  {
    group: 'Use',
    pages: [
      { to: '/keys', name: 'Keys', key: 'k' },
      { to: '/teams', name: 'Teams', key: 't' },
      { to: '/limits', name: 'Limits', key: 'l' },
      { to: '/usage', name: 'Usage', key: 'u' },
      { to: '/prices', name: 'Prices', key: 'r' },
      { to: '/playground', name: 'Playground', key: 'p' },
    ],
  },
  {
    group: 'System',
    pages: [
      { to: '/audit', name: 'Audit', key: 'd' },
      { to: '/configuration', name: 'Configuration', key: 'f' },
      { to: '/access', name: 'Access', key: 's' },
    ],
  },
]
