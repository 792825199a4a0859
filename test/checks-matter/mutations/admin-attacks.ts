import { checksOf } from '../mutation.ts'

const replicas = ['test/admin/http/replicas.test.ts']
const oidc = ['test/admin/http/oidc.test.ts']
const sessions = ['test/admin/http/sessions.test.ts']
const streams = ['test/admin/http/streams.test.ts']
const effort = ['test/admin/explain-effort.test.ts']
const damaged = ['test/admin/damaged-records.test.ts']
const commands = ['test/cli/damaged-records.test.ts']
const canaries = ['test/admin/canaries.test.ts']
const tokens = ['test/configuration/admin.test.ts']
const audit = ['test/admin/audit.test.ts']

/** What one client of the admin API, or one writer of the store, could do to others. */
export const adminAttackChecks = [
  ...checksOf('auth', 'src/admin/grants.ts', replicas, {
    'sessions: a token that is not known yet is looked up': [
      'if (tokens.find(id)?.hash !== hash) await tokens.catchUp()',
      '',
    ],
    'sessions: a store that is away refuses no session': ['if (tokens.isStale)', 'if (false)'],
    'sessions: only what all processes know ends one': [
      "return rights === 'none' && isOver(grant) ?",
      "return rights === 'none' ?",
    ],
    'sessions: the record of one of a revoked token goes': [
      'return stored.revokedAt !== undefined || stored.hash !== hash',
      'return false',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/oidc.ts', oidc, {
    'oidc: what another page fetches changes nothing': [
      'if (!isOwnArrival(arrived, pending)) return',
      'if (false) return',
    ],
    'oidc: a sign-in is a page of its own': ['if (!isPage(request)) return', 'if (false) return'],
    'oidc: a provider that is away uses up no attempt': [
      'if (error instanceof OidcFailure && error.isAway) signIn.excuse(visit)',
      '',
    ],
  }),
  ...checksOf('auth', 'src/admin/http/session.ts', sessions, {
    'sessions: guesses lock no valid token out': [
      'known ? undefined : await signIn.attempt(visit)',
      'await signIn.attempt(visit)',
    ],
  }),
  ...checksOf('admin', 'src/admin/http/streams.ts', streams, {
    'streams: one token has a share': [
      'open.size >= most || count >= mostOfOne',
      'open.size >= most',
    ],
    'streams: a share is free again': [
      'if (left > 0) counts.set(owner, left)',
      'if (left >= 0) counts.set(owner, 8)',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/explain.ts', effort, {
    'explain: an operation has four': ['complexity: { field: 450 }', 'complexity: { field: 50 }'],
  }),
  ...checksOf('admin', 'src/admin/dry-runs.ts', effort, {
    'explain: a token has four at once': ['if (count >= mostOfOne) throw tooMany()', ''],
    'explain: what has ended makes room': [
      'if (left > 0) running.set(id, left)',
      'running.set(id, left + 1)\n      if (left > 0) return null as never',
    ],
  }),
  ...checksOf('stores', 'src/stores/keys.ts', damaged, {
    'damaged: the creation of a key is a time': ['    isTime(key.createdAt) &&\n', ''],
    'damaged: the creator of a key is a text': [
      "(key.createdBy === undefined || typeof key.createdBy === 'string') &&",
      '',
    ],
    'damaged: the version of a key is a number of changes': [
      '(key.version === undefined || isVersion(key.version))',
      'true',
    ],
  }),
  ...checksOf('stores', 'src/lib/deadline.ts', ['test/stores/stalled-loop.test.ts'], {
    'what has arrived is in time': ['void (turn = setImmediate(late))', 'late()'],
    'what a held-up process has lost': [
      'if (lostMs < milliseconds * heldUpPart) end()',
      'if (lostMs !== -1) end()',
    ],
  }),
  ...checksOf('stores', 'src/stores/record-values.ts', damaged, {
    'damaged: a time fits a date': ['Math.abs(value) <= 8.64e15', 'true'],
  }),
  ...checksOf('stores', 'src/stores/account-states.ts', commands, {
    'damaged: the time of a state fits a date': ['isTime(state.changedAt) ? state', 'true ? state'],
  }),
  ...checksOf('admin', 'src/audit/log.ts', damaged, {
    'damaged: an audit record has its members': [
      'return recordSchema.safeParse(value).success',
      'return value !== undefined',
    ],
  }),
  ...checksOf('admin', 'src/admin/sessions.ts', damaged, {
    'damaged: a session has its members': [
      'return recordSchema.safeParse(value).success',
      'return value !== undefined',
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/scalars.ts', damaged, {
    'damaged: a time beyond dates breaks no list': [
      'Math.min(latest, Math.max(-latest, Number(value)))',
      'Number(value)',
    ],
  }),
  ...checksOf('errors', 'src/admin/hide-values.ts', canaries, {
    'values: invalid JSON is not quoted': [
      'throw isOfJson(error) ? noJson() : error',
      'throw error',
    ],
  }),
  ...checksOf('errors', 'src/configuration/secrets.ts', canaries, {
    'values: what is no name of a variable is not quoted': [
      "message: 'env: is not followed by the name of an environment variable'",
      'message: `"env:${name}" is not a name`',
    ],
    'values: names of other variables are a hint': [
      'fix: `set ${name} before the gateway starts`',
      'fix: `set ${name} before the gateway starts ${meant}`',
    ],
  }),
  ...checksOf('errors', 'src/configuration/shape.ts', canaries, {
    'values: a password in a URL is not quoted': [
      'hasUrlSecret.test(text) ? kindOf(value, example)',
      'false ? kindOf(value, example)',
    ],
  }),
  ...checksOf('admin', 'src/configuration/with-store.ts', canaries, {
    'configuration: an alias may have any name': [
      '!Object.hasOwn(aliases, name)',
      '!(name in aliases)',
    ],
  }),
  ...checksOf('auth', 'src/configuration/check-secret.ts', tokens, {
    'tokens: a secret of the file cannot be guessed': ['resolved.length < shortest', 'false'],
  }),
  ...checksOf('admin', 'src/audit/seal.ts', audit, {
    'audit: a seal needs the key': [
      'if (!key) return `${unkeyed}',
      'if (key || !key) return `${unkeyed}',
    ],
    'audit: a seal covers the result': [
      'const later = [result, message,',
      'const later = [message,',
    ],
    'audit: a seal covers the changes': ['message, before, after, count]', 'message, count]'],
    'audit: a changed record shows': [
      "if (!isEqual(seal, sealWith(key, entry))) return 'CHANGED'",
      '',
    ],
  }),
]
