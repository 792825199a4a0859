import { checksOf } from '../mutation.ts'

const everywhere = ['test/admin/accounts-everywhere.test.ts']
const liveLimits = ['test/admin/live-limits.test.ts']
const answers = ['test/admin/answers.test.ts']

/** What operators read and do with a client of the admin API, whichever process answers. */
export const adminClientChecks = [
  ...checksOf('admin', 'src/admin/schema/forward-pages.ts', ['test/admin/forward-pages.test.ts'], {
    'operators: lists have no argument that nothing obeys': [
      '!backwards.has(name)',
      'name.length > 0',
    ],
  }),
  ...checksOf('admin', 'src/admin/builder.ts', ['test/admin/http/limits.test.ts'], {
    'operators: an operation beyond the limits has a code': [', complexityError: tooLarge', ''],
  }),
  ...checksOf('admin', 'src/admin/accounts/standing.ts', everywhere, {
    'operators: an account is shown as all processes see it': [
      '.filter(({ processId }) => processId !== processes.id)',
      '.filter(() => false)',
    ],
  }),
  ...checksOf('admin', 'src/admin/http/guard.ts', answers, {
    'operators: an error of variables has a code': [
      'if (cause === undefined) return withCode(error)',
      'if (cause === undefined) return error',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/accounts.ts', answers, {
    'operators: an unknown state is no state without accounts': [
      'checkState(wanted.state)\n',
      '\n',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/live.ts', answers, {
    'operators: a subscription has a topic': ['if (topics.length === 0)', 'if (topics.length < 0)'],
  }),
  ...checksOf('admin', 'src/admin/schema/live.ts', liveLimits, {
    'operators: a subscription is over with its answer': ['endWith(subscriber, signal)\n', '\n'],
  }),
]
