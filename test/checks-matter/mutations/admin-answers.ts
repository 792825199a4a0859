import { checksOf } from '../mutation.ts'

const acts = ['test/admin/acts.test.ts']
const limits = ['test/admin/http/limits.test.ts']
const failures = ['test/cli/remote/failures.test.ts']
const explain = ['test/admin/explain.test.ts']
const everywhere = ['test/admin/accounts-everywhere.test.ts']
const administrators = ['test/admin/last-administrator.test.ts']
const firstToken = ['test/cli/first-token.test.ts']
const streams = ['test/admin/http/streams.test.ts']
const damaged = ['test/admin/damaged-records.test.ts']
const elsewhere = ['test/admin/acts-elsewhere.test.ts']
const away = ['test/admin/store-away.test.ts']
const hub = ['test/admin/hub.test.ts']
const stored = ['test/admin/stored-accounts.test.ts']

/** What operators are answered, and what an answer must not lose. */
export const adminAnswerChecks = [
  ...checksOf('admin', 'src/admin/act.ts', acts, {
    'answers: an act takes those of no other act': ['nullable: true', 'nullable: false'],
  }),
  ...checksOf('admin', 'src/admin/http/guard.ts', limits, {
    'answers: acts that are late may have been done': ['tooLong(ms, isAct)', 'tooLong(ms, false)'],
  }),
  ...checksOf('admin', 'src/cli/remote/failures.ts', failures, {
    'answers: a late proxy has sent the act on': ['if (status === 504 && isAct) {', 'if (false) {'],
  }),
  ...checksOf('admin', 'src/cli/remote/lacks.ts', ['test/cli/remote/lacks.test.ts'], {
    'answers: a store that was there may be away later': [
      'if (reading && performance.now() - readAt < validMs)',
      'if (reading)',
    ],
  }),
  ...checksOf('admin', 'src/cli/remote/client.ts', failures, {
    'answers: what they lack is said': ['sayLacks(extensions)', ''],
  }),
  ...checksOf('admin', 'src/admin/explain.ts', explain, {
    'answers: a body in text gets the members that it lacks': [
      'Buffer.from(withMembers(body, named))',
      'Buffer.from(body)',
    ],
  }),
  ...checksOf('admin', 'src/admin/processes/everyone.ts', everywhere, {
    'answers: processes that fail at a command are named': [
      "if (status === 'DONE') silent.delete(processId)",
      'if (status) silent.delete(processId)',
    ],
  }),
  ...checksOf('admin', 'src/admin/tokens.ts', administrators, {
    'answers: a hidden token is no administrator': ['.filter(({ id }) => !taken.has(id))', ''],
  }),
  ...checksOf('admin', 'src/cli/welcome.ts', firstToken, {
    'answers: the first key has its record first': [
      'audited(store, creation, create, gatewayItself)',
      'create()',
    ],
  }),
  ...checksOf('admin', 'src/admin/server.ts', streams, {
    'answers: an export ends with its token': [
      "exports.open(response, who.principal, () => findWho(visit, 'watch'))",
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/bindings.ts', damaged, {
    'answers: a damaged binding can be forgotten': ['if (!binding && !isDamaged)', 'if (!binding)'],
  }),
  ...checksOf('admin', 'src/admin/accounts/change.ts', stored, {
    'answers: a new account inherits no state': ['await forgetAccountState(running.store, id)', ''],
  }),
  ...checksOf('admin', 'src/admin/accounts/find.ts', elsewhere, {
    'answers: acts know the accounts that other processes have written': [
      'await catchUpAccounts(services)',
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/accounts/find.ts', away, {
    'answers: an account that the store cannot show is not called absent': [
      "isStale ? storeUnavailable() : notFound('account', id)",
      "notFound('account', id)",
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/accounts.ts', away, {
    'answers: a query for an account that the store cannot show is no null': [
      'if (!found && mayExist)',
      'if (false)',
    ],
    'answers: accounts that were known last are marked': [
      "await catchUpWith(context, 'accounts', followedAccounts(services))",
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/aliases.ts', away, {
    'answers: a model that the store cannot show is not called absent': [
      'isStale(services) ? storeUnavailable() : invalid(lost)',
      'invalid(lost)',
    ],
  }),
  ...checksOf('admin', 'src/cli/explain/here.ts', ['test/cli/remote/explain.test.ts'], {
    'answers: a store that is away explains nothing': [
      '.some(({ isStale }) => isStale)',
      '.some(() => false)',
    ],
  }),
  ...checksOf('admin', 'src/admin/aliases.ts', elsewhere, {
    'answers: aliases lead to accounts that other processes have written': [
      'await Promise.all([aliases.catchUp(), catchUpAccounts(services)])',
      'await aliases.catchUp()',
    ],
  }),
  ...checksOf('admin', 'src/admin/call-key.ts', elsewhere, {
    'answers: keys that other processes have created are known': [
      'if (!keys.get(id)) await keys.catchUp()',
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/call-key.ts', away, {
    'answers: a key that the store cannot show is not called unknown': [
      'if (!key && keys.isStale)',
      'if (false)',
    ],
  }),
  ...checksOf('admin', 'src/attempt/explain.ts', ['test/admin/explain.test.ts'], {
    'answers: an account that is away is the only one all the same': [
      'onRanked(ranking)\n  ranking.assertOwnerAvailable()',
      'ranking.assertOwnerAvailable()\n  onRanked(ranking)',
    ],
  }),
  ...checksOf('admin', 'src/admin/unknown-key.ts', ['test/admin/bindings.test.ts'], {
    'answers: a look-up for an unknown key says so': [
      'return (await findCallKey(services, id)) ?',
      'return (await findCallKey(services, id)) || id ?',
    ],
    'answers: a caller of a plugin is no unknown key': [
      'if (!idOfKey.test(id)) return undefined',
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/affinities.ts', ['test/admin/bindings.test.ts'], {
    'answers: affinities of an unknown key take no other field along': [
      'nullable: true,\n      d',
      'd',
    ],
  }),
  ...checksOf('admin', 'src/admin/connections.ts', ['test/admin/recent.test.ts'], {
    'answers: a cursor of another list is refused': ['&& !form.test(after)', '&& false'],
  }),
  ...checksOf('admin', 'src/admin/live/subscriber.ts', hub, {
    'answers: a dialect selects circuits': [
      "const { dialect } = event.type === 'CircuitChanged' ? event : filter",
      'const { dialect } = filter',
    ],
  }),
]
