import { checksOf } from '../mutation.ts'

const inputs = ['test/admin/act-inputs.test.ts']
const places = ['test/admin/credential-places.test.ts']
const versions = ['test/admin/account-versions.test.ts']
const shown = ['test/admin/configuration.test.ts']
const act = 'src/admin/act.ts'
const credentialPlaces = 'src/configuration/credential-places.ts'

/** What acts require of their inputs, the versions of their records, and the places of credentials. */
export const adminActChecks = [
  ...checksOf('admin', 'src/admin/schema/account-acts.ts', ['test/admin/account-acts.test.ts'], {
    'acts: a dialect that the account does not speak has no circuit': [
      '!before.speaks.includes(dialect)',
      'false',
    ],
  }),
  ...checksOf('admin', 'src/admin/accounts/standing.ts', ['test/admin/account-acts.test.ts'], {
    'a disabled account has the reason of the operator': [
      'disabledBy === byOperator ? running.accountStates.reasonOf(id) : undefined',
      'undefined',
    ],
  }),
  ...checksOf('admin', act, inputs, {
    'a blank reason is no reason': ["why?.trim() === ''", 'why === undefined && false'],
  }),
  ...checksOf('admin', act, ['test/admin/acts.test.ts'], {
    'a defect has a record': [
      "await end({ result: 'FAILED', message: messageOf(defect) }, false).catch(() => {})",
      '',
    ],
  }),
  ...checksOf('admin', 'src/admin/act-records.ts', ['test/admin/many-acts.test.ts'], {
    'acts that fail alike share a record': ['known.own < mostOwn', 'known.own < Infinity'],
    'an act that ends otherwise has a record of its own': [
      'end.message === known.end.message',
      'end.message !== ""',
    ],
    'failures are counted for a minute': ['known.until > uptime()', 'known.until > 0'],
  }),
  ...checksOf('admin', 'src/admin/processes/describe.ts', ['test/admin/heartbeats.test.ts'], {
    'accounts in trouble that do not fit are counted': [
      'Math.max(0, troubled.length - accounts.length)',
      '0',
    ],
  }),
  ...checksOf('admin', 'src/admin/processes/everywhere.ts', ['test/admin/heartbeats.test.ts'], {
    'an account of an incomplete process has a sign': ['id !== self && !saying.has(id)', 'false'],
  }),
  ...checksOf('admin', 'src/admin/accounts/views.ts', ['test/admin/account-settings.test.ts'], {
    'the path of an address is hidden': ['shownUrl(origin + basePath)', 'origin + basePath'],
  }),
  ...checksOf('admin', 'src/admin/schema/sessions.ts', ['test/admin/effort.test.ts'], {
    'sessions that are over are read in parts': ['matches: () => true', ''],
  }),
  ...checksOf('admin', 'src/http/refused-connections.ts', ['test/connections/refused.test.ts'], {
    'refused connections have few lines': ['second.lines >= mostLines || ', ''],
    'an address has a line a second': ['now - last < everyMs', 'false'],
  }),
  ...checksOf('admin', 'src/admin/schema/key-acts.ts', inputs, {
    'a rotation without a grace period has a reason': [
      "if (seconds === 0 && typeof input.reason !== 'string')",
      'if (seconds < 0)',
    ],
  }),
  ...checksOf('admin', 'src/audit/log.ts', inputs, {
    'the id of a target is cut off': ['id: target.id.slice(0, longestText) },', 'id: target.id },'],
  }),
  ...checksOf('admin', 'src/admin/accounts/input.ts', versions, {
    'an account has few levels': ['isTooDeep(fields) || ', ''],
  }),
  ...checksOf('admin', 'src/stores/versions.ts', versions, {
    'a version of an id comes once': ['(await last()) + 1', '1'],
    'a version of an id comes once, though it is deleted meanwhile': [
      'if (former < added.version) return added',
      'if (former <= added.version) return added',
    ],
    'a deletion is of the version that was read': ['Object(known).version === version', 'true'],
  }),
  ...checksOf('admin', credentialPlaces, places, {
    'places: the other secrets of accounts are not for sending': [
      "secretsBesideKeys(config['accounts'])",
      '[]',
    ],
    'a place is permitted first': [
      'if (!patterns.some((pattern) => pattern.test(reference))) return false',
      '',
    ],
    'a place of another setting is none of an account': [' || names.has(reference)', ''],
    'a file of another setting is none of an account': [
      'if (files.some((one) => realOf(resolve(cwd, one)) === real)) return false',
      '',
    ],
    'a variable of the gateway is none of an account': ['/^env:DRAGOMAN_/i.test(reference) ||', ''],
    'a path has one form': ['if (normalize(file) !== file) return false', ''],
    'a file of the store is none of an account': [
      '!`${real}${sep}`.startsWith(`${realOf(directory)}${sep}`)',
      'true',
    ],
  }),
  ...checksOf('admin', 'src/configuration/stored-accounts.ts', places, {
    'a problem does not say whether a file exists': [
      'resolveSecret(reference, path, env, []) ?? nothingThere',
      'resolveSecret(reference, path, env, problems) ?? { message: String(problems.at(-1)?.message), fix: "" }',
    ],
  }),
  ...checksOf('admin', 'src/configuration/needs-restart.ts', shown, {
    'a reload changes who signs in': ["adminAccess: 'reload'", "adminAccess: 'restart'"],
  }),
  ...checksOf(
    'admin',
    'src/configuration/reseal-accounts.ts',
    ['test/configuration/reseal-accounts.test.ts'],
    {
      'a rotation looks again': ['const mostPasses = 5', 'const mostPasses = 1'],
    },
  ),
]
