import { checksOf } from '../mutation.ts'

const failures = ['test/cli/remote/failures.test.ts', 'test/cli/remote/token.test.ts']
const storeAway = ['test/cli/store-away.test.ts']
const hostile = ['test/cli/remote/hostile.test.ts']
const tail = ['test/cli/remote/tail.test.ts']
const accounts = ['test/cli/remote/accounts.test.ts']

/** Commands that speak to a running gateway. */
export const terminalChecks = [
  ...checksOf('terminal', 'src/cli/audit/act.ts', ['test/cli/audit.test.ts'], {
    'audit: a command that is refused before it acts has a record': [
      'error instanceof CommandError && mayContainRecords(configuration)',
      'false',
    ],
    'audit: a job or binding that does not exist has a record': [
      'if (error instanceof CommandError)\n      await recordRefusal(store',
      'if (false)\n      await recordRefusal(store',
    ],
  }),
  ...checksOf('terminal', 'src/cli/bindings/forget.ts', ['test/cli/remote/bindings.test.ts'], {
    'audit: the gateway records a binding that does not exist': [
      '  await doAct(client',
      '  if (!kind) throw new CommandError(noBinding(named))\n  await doAct(client',
    ],
  }),
  ...checksOf('terminal', 'src/cli/audit/act.ts', ['test/cli/stored-accounts.test.ts'], {
    'audit: a result that changed nothing is no success': [
      "message === undefined ? ('DONE' as const)",
      "message !== '' ? ('DONE' as const)",
    ],
  }),
  ...checksOf('terminal', 'src/cli/remote/address.ts', failures, {
    'the token goes over no open network': [
      "if (isLoopbackHost(base.hostname.replace(/^\\[|\\]$/g, ''))) return { base, token }",
      'return { base, token }',
    ],
    'an address has no credentials': [
      '!url.username && !url.password && !url.search && !url.hash',
      '!url.search && !url.hash',
    ],
    'a token without an address is no act on the store': [
      "if (isNamed || (token === undefined && options['insecure'] === undefined)) return isNamed",
      'return isNamed',
    ],
    'an address and a store contradict each other': [
      'if (url !== undefined && local !== undefined) {',
      'if (url === undefined && local === undefined && store === null) {',
    ],
  }),
  ...checksOf('terminal', 'src/cli/remote/lacks.ts', storeAway, {
    'a store that does not answer is named before the processes': [
      'if (isAway) sayOnce(awayLine(store))',
      '',
    ],
  }),
  ...checksOf('terminal', 'src/cli/use-store.ts', storeAway, {
    'an error of a store names no login': ['It is ${shownUrl(store)}.', 'It is ${store}.'],
  }),
  ...checksOf('terminal', 'src/cli/remote/client.ts', failures, {
    'the token goes to no other origin': ["redirect: 'manual'", "redirect: 'follow'"],
    'a list that asks too fast waits': [
      'if (response.status !== 429 || waits === mostWaits) throw',
      'throw',
    ],
  }),
  ...checksOf('terminal', 'src/cli/remote/pages.ts', failures, {
    'a list that does not go on ends': [
      'if (endCursor === null || endCursor === after) {',
      'if (endCursor === null) {',
    ],
  }),
  ...checksOf('terminal', 'src/cli/remote/pages.ts', accounts, {
    'a list goes on behind its first page': ['after = endCursor', 'return'],
  }),
  ...checksOf('terminal', 'src/cli/remote/failures.ts', failures, {
    'an act whose answer is lost may have been done': ["isAct ? ` ${maybeDone}` : ''", "''"],
  }),
  ...checksOf('terminal', 'src/cli/remote/failures.ts', hostile, {
    'messages of a gateway are one line': [
      'const line = visibleInLine(String(text))',
      'const line = String(text)',
    ],
  }),
  ...checksOf('terminal', 'src/cli/audit/remote.ts', failures, {
    'a part of an export is never the whole': [
      'if (cause instanceof OutputClosed) throw cause',
      'return 0',
    ],
  }),
  ...checksOf('terminal', 'src/cli/terminal.ts', hostile, {
    'data steers no terminal': [
      'stdout.write(visible(text), written)',
      'stdout.write(text, written)',
    ],
    'lines steer no terminal': [
      'out: (text) => void stdout.write(`${visible(text)}\\n`)',
      'out: (text) => void stdout.write(`${text}\\n`)',
    ],
  }),
  ...checksOf('terminal', 'src/cli/table.ts', hostile, {
    'a cell begins no other line': [
      'const rows = given.map((row) => row.map((cell) => visibleInLine(cell)))',
      'const rows = given',
    ],
  }),
  ...checksOf('terminal', 'src/cli/tail/describe.ts', tail, {
    'a name begins no line of an event': [
      'return /^[^\\s"=]+$/.test(value) ? value : JSON.stringify(value)',
      'return value',
    ],
  }),
  ...checksOf('terminal', 'src/cli/tail/follow.ts', tail, {
    'what is missing between connections is said': ['if (events) yield disconnected', ''],
    'a refused token ends what it follows': [
      'if (!signal.aborted && !(error instanceof GatewayAway)) throw error',
      '',
    ],
  }),
  ...checksOf('terminal', 'src/cli/accounts/remote.ts', accounts, {
    'only an accepted credential is a success': [
      "return outcome === 'ACCEPTED' ? 0 : 1",
      'return 0',
    ],
  }),
  ...checksOf('terminal', 'src/runtime/start-gateway.ts', ['test/cli/remote/explain.test.ts'], {
    'no plugin starts where nothing is served': [
      'if (options.startsPlugins !== false) await',
      'await',
    ],
  }),
]
