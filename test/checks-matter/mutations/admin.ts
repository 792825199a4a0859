import { checksOf } from '../mutation.ts'

const acts = ['test/admin/acts.test.ts']
const accounts = ['test/admin/accounts.test.ts']

/** The admin API, and the store behind it. */
export const adminChecks = [
  ...checksOf('admin', 'src/admin/act.ts', acts, {
    'an act begins with its record': ['    return failureOf(error)\n  }', '  }'],
  }),
  ...checksOf('admin', 'src/admin/act.ts', accounts, {
    'an act needs its role': ['authScopes: { [role]: true }', 'authScopes: { viewer: true }'],
  }),
  ...checksOf('admin', 'src/admin/http/who.ts', accounts, {
    'the API needs a token': [
      'principal ? { principal } : { refusal: unauthenticated }',
      "{ principal: principal ?? { kind: 'token', id: 'a', role: 'admin' } }",
    ],
  }),
  ...checksOf('stores', 'src/stores/redis/connect.ts', ['test/stores/redis-faults.test.ts'], {
    'a failed read is no missing record': ['throwOnErrors: true', 'throwOnErrors: false'],
  }),
]
