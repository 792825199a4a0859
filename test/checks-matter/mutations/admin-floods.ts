import { checksOf } from '../mutation.ts'

const limited = ['test/admin/http/limited.test.ts']
const recent = ['test/admin/recent.test.ts']
const guesses = ['test/admin/http/guesses.test.ts']
const sessions = ['test/admin/http/sessions.test.ts']
const oidc = ['test/admin/http/oidc.test.ts']
const pages = ['test/admin/http/graphiql.test.ts']
const lines = ['test/admin/log-lines.test.ts']
const places = ['test/admin/credential-places.test.ts']
const effort = ['test/admin/explain-effort.test.ts']
const accounts = ['test/cli/remote/accounts.test.ts']

/** What floods, set clocks and odd names do to operators. */
export const adminFloodChecks = [
  ...checksOf('admin', 'src/admin/http/session.ts', limited, {
    'floods: an address that waits at a sign-in is recorded': [
      'await noteLimit(refusals, visit, refusal)',
      '',
    ],
    'floods: too many sessions are recorded': [
      'await noteRefused(visit, refusal.message, user)',
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/http/refused.ts', limited, {
    'floods: an address that waits anywhere is recorded': [
      "if (refusal.code === 'TOO_MANY_REQUESTS') await noteLimit(refusals, visit, refusal)",
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/refusals.ts', limited, {
    'floods: a network is one address': ["kind === 'limit' ? '' : address", 'address'],
    'floods: few addresses have a record of their own': ['limit: 10,', 'limit: 1_000,'],
  }),
  ...checksOf('admin', 'src/admin/processes/recent.ts', recent, {
    'floods: requests without a key have places of their own': [
      'caller ? this.#ofCallers : this.#others',
      'caller ? this.#ofCallers : this.#ofCallers',
    ],
    'floods: the newest exchange comes first': ['turn > otherTurn ?', 'turn > 0 ?'],
  }),
  ...checksOf('admin', 'src/admin/processes/gather.ts', recent, {
    'floods: requests without a key are shown last': ['return ofCallersFirst || ', 'return '],
  }),
  ...checksOf('admin', 'src/admin/dry-runs.ts', effort, {
    'floods: the look-ups of an operation are one dry run': [
      'turns.get(context) ?? Promise.resolve()',
      'Promise.resolve(turns.get(context) && undefined)',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/bindings.ts', effort, {
    'floods: look-ups are dry runs of their token': [
      `context.services.dryRuns.runInTurn(context, () =>
            answersFor(context.services, found, found.model),
          )`,
      'answersFor(context.services, found, found.model)',
    ],
  }),
  ...checksOf('admin', 'src/admin/server.ts', guesses, {
    'clocks: a rate has a clock that runs evenly': [
      'amount: limits.guessesPerMinute, windowMs: 60_000, uptime',
      'amount: limits.guessesPerMinute, windowMs: 60_000, uptime: services.now',
    ],
  }),
  ...checksOf('admin', 'src/admin/sessions.ts', sessions, {
    'clocks: a session counts from the right time': ['at >= record.usedAt && ', ''],
    'clocks: a session ends twelve hours from the right time': [
      'Math.min(record.endsAt, at + longestMs)',
      'record.endsAt',
    ],
  }),
  ...checksOf('admin', 'src/admin/oidc.ts', oidc, {
    'clocks: a sign-in comes back to a clock that is behind': [
      'Math.abs(now() - Number.parseInt(begun, 36))',
      '(now() - Number.parseInt(begun, 36)) >>> 0',
    ],
    'clocks: endpoints are read again': [
      'uptime() - discovered.at > discoveredMs',
      'uptime() < discovered.at',
    ],
  }),
  ...checksOf('admin', 'src/admin/http/role-page.ts', pages, {
    'names: a user is a text of the page': ['textOf(id)', 'id'],
    'a token has no session to end': ["kind === 'session' ? signOutForm : ''", 'signOutForm'],
  }),
  ...checksOf('admin', 'src/lib/log.ts', [...lines, 'test/line-writer.test.ts'], {
    'names: a line of the log steers no terminal': [
      'visibleJson(JSON.stringify(',
      '(JSON.stringify(',
    ],
  }),
  ...checksOf('admin', 'plugins/access-log.ts', lines, {
    'names: an agent is cut off': [
      "shown(request.headers['user-agent'])",
      "request.headers['user-agent']",
    ],
  }),
  ...checksOf('admin', 'src/accounts/stored.ts', places, {
    'a place that was taken back is not used': [
      'before && mayKeep(before) ? before',
      'before ? before',
    ],
  }),
  ...checksOf('terminal', 'src/cli/accounts/filter.ts', accounts, {
    'an unknown state is no state without accounts': [
      'if (state !== undefined && !all.includes(state)) {',
      'if (state === undefined && !all.includes("enabled")) {',
    ],
  }),
  ...checksOf('terminal', 'src/cli/accounts/remote.ts', accounts, {
    'a test that fails says why': ['${how}.${reason}', '${how}.'],
  }),
]
