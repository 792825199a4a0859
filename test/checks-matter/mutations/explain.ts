import { checksOf } from '../mutation.ts'

const everywhere = ['test/admin/accounts-everywhere.test.ts']
const shown = ['test/admin/configuration.test.ts']
const reloads = ['test/cli/reload-shown.test.ts']
const extending = ['test/third-party/notes.test.ts']
const restless = ['test/cli/restless-plugins.test.ts']
const dry = ['test/admin/explain.test.ts']

/** A dry run sends nothing, writes nothing and says what a call gets. */
export const explainChecks = [
  ...checksOf('kept', 'plugins/bindings/lookup.ts', dry, {
    'a dry run leaves a conversation free to move': ['return !isDryRun && (', 'return ('],
  }),
  ...checksOf('kept', 'src/attempt/prepare.ts', dry, {
    'a dry run moves no conversation': [' && !exchange.isDryRun) {', ') {'],
  }),
  ...checksOf('kept', 'src/attempt/answer-from-store.ts', dry, {
    'a dry run deletes no stored response': [
      'exchange.isDryRun ? unchanged(stored) : stored',
      'stored',
    ],
  }),
  ...checksOf('videos', 'src/jobs/create-video.ts', dry, {
    'a dry run does not ask for the state of a source': [
      'if (exchange.isDryRun) return { job: source, stale: false }',
      '',
    ],
  }),
  ...checksOf('remote', 'src/attempt/dry-environment.ts', dry, {
    'a dry run fetches no file': ['...translation.unsent,', ''],
    'a dry run stores no conversation': ['{ ...hooks, ...silent }', 'hooks'],
  }),
  ...checksOf('refusals', 'plugins/account-health/index.ts', dry, {
    'a dry run makes no free call': [' && !isDryRun', ''],
  }),
  ...checksOf('auth', 'src/admin/explain.ts', dry, {
    'a dry run takes no credential': [' || ownHeaders.test(lower)', ''],
    'a dry run has the path that a client would write': [
      'encodeURIComponent(value.toWellFormed())',
      'value',
    ],
  }),
  ...checksOf('auth', 'src/exchange/identify.ts', dry, {
    'a dry run of a revoked key is refused': [
      "if (!caller) throw unauthenticated(exchange, '')",
      "if (!caller) return enterAuthenticated(exchange, { keyId: '', mayUse: () => true }, undefined)",
    ],
  }),
  ...checksOf('admin', 'src/admin/schema/explain.ts', everywhere, {
    'a dry run says of other processes only what concerns its dialect': [
      'one.dialect === undefined || one.dialect === dialect.id',
      'true',
    ],
    'a dry run says of other processes only what concerns its key': [
      'one.keyId === undefined || one.keyId === keyId',
      'true',
    ],
  }),
  ...checksOf('auth', 'src/configuration/describe.ts', shown, {
    'a secret of the configuration is not shown': [
      'isReference(value) ? value : secretMask',
      'value',
    ],
  }),
  ...checksOf('auth', 'src/configuration/shown-url.ts', shown, {
    'a password in a URL is not shown': [".slice(authority.lastIndexOf('@') + 1)", ''],
    'a path in a URL is not shown': [' ? path : hiddenPath', ' ? path : path'],
  }),
  ...checksOf('kept', 'src/configuration/in-use.ts', shown, {
    'settings that need a restart keep their value': [
      "isReloaded(one) === (part === 'reload')",
      "isReloaded(one) && part === 'reload'",
    ],
    'a setting waits for its restart over reloads': [
      'settingsNeedingRestart(started, next)',
      'settingsNeedingRestart(latest, next)',
    ],
    'the ports of a replica are not in the hash of its configuration': ["  'listen.port',\n", ''],
    'the origin of a value is not in the hash of the configuration': [
      'for (const { path, value } of settings) {\n    if (!perProcess.has(path)) hash.update(JSON.stringify([path, value]))',
      'for (const one of settings) {\n    const { path } = one\n    if (!perProcess.has(path)) hash.update(JSON.stringify(one))',
    ],
  }),
  ...checksOf('kept', 'src/cli/server.ts', reloads, {
    'operators see the configuration in use': ['        configuration: inUse,\n', ''],
  }),
  ...checksOf('auth', 'src/admin/schema/undecided.ts', extending, {
    'an empty decision is none': [
      'scopes.some((scope) => Boolean(scope))',
      'authScopes !== undefined',
    ],
    'a field cannot step over its type': [' && !skipsType(field)', ''],
    'a root field needs its own decision': [
      '!isRoot && isDecision(type)',
      'isDecision(type) || isRoot',
    ],
  }),
  ...checksOf('kept', 'src/runtime/plugin-records.ts', extending, {
    'the records of plugins are apart': ['`plugin:${encode(plugin)}`', '`plugin:${plugin}`'],
    'a namespace stays in its place': ['!/^[a-z0-9._-]{1,64}$/.test(namespace)', 'false'],
  }),
  ...checksOf('connections', 'src/cli/defects.ts', restless, {
    'a throw in a timer ends nothing': ["  process.on('uncaughtException', note)\n", ''],
    'defects do not flood the log': ['if (++logged > mostLogged) {', 'if (false) {'],
    'defects are counted': ['    count++\n', ''],
  }),
  ...checksOf('connections', 'src/hooks/start.ts', restless, {
    'a start that never ends is left': ['within(waitMs, started, late)', 'started'],
  }),
  ...checksOf('connections', 'src/hooks/probes.ts', restless, {
    'a probe that never ends is left': ['within(longestMs, probing, late)', 'probing'],
    'a probe says whether it is well': ["|| typeof result.ok !== 'boolean'", ''],
  }),
]
