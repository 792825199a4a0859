import { startSandbox } from '../sandbox/index.ts'
import { openStore } from '../stores/open.ts'
import { CommandError, type Invocation } from './command.ts'
import { type Configured, readConfigured } from './configured.ts'
import { withoutConfiguration } from './first-run.ts'
import { assertServable, describeAddresses, runServer } from './server.ts'
import { type ShutdownSignal, shutdownSignal } from './signals.ts'
import { welcome } from './welcome.ts'
import { leavePool, readWorkers, runWorkers, workerNumber } from './workers.ts'

/** Where the sandbox of a first run is, for its workers. */
const sandboxVariable = 'DRAGOMAN_SANDBOX_URL'

/** `dragoman [serve]`: with a configuration, or with what a machine has without one. */
export async function run(invocation: Invocation): Promise<number> {
  const signal = shutdownSignal()
  const { env } = invocation.terminal
  const configured = await readConfigured(invocation)
  const count = readWorkers(invocation.options, env)
  if (workerNumber(env) !== undefined) await serveAsWorker(configured, invocation, signal)
  else if (configured.file === undefined) await serveFirstRun(configured, invocation, signal, count)
  else if (count > 1) await serveWithWorkers(configured, invocation, signal, count)
  else await runServer({ configured, invocation, signal })
  return 0
}

async function serveAsWorker(
  configured: Configured,
  invocation: Invocation,
  signal: Promise<ShutdownSignal>,
): Promise<void> {
  const sandboxUrl = invocation.terminal.env[sandboxVariable]
  const complete =
    configured.file === undefined && sandboxUrl !== undefined
      ? withoutConfiguration(configured, invocation, sandboxUrl)
      : configured
  try {
    await runServer({ configured: complete, invocation, signal })
  } finally {
    leavePool()
  }
}

async function serveFirstRun(
  configured: Configured,
  invocation: Invocation,
  signal: Promise<ShutdownSignal>,
  count: number,
): Promise<void> {
  await using sandbox = await startSandbox()
  const complete = withoutConfiguration(configured, invocation, sandbox.url)
  const { env } = invocation.terminal
  if (count === 1) {
    const prepare = (store: Parameters<typeof welcome>[0]) =>
      welcome(store, env, invocation.options)
    await runServer({ configured: complete, invocation, signal, prepare })
    return
  }
  const { settings, storeBase } = complete
  const store = await openStore(settings.store, { cwd: storeBase })
  const announcement = await welcome(store, env, invocation.options)
  await store.close()
  await serveWithWorkers(complete, invocation, signal, count, {
    environment: { [sandboxVariable]: sandbox.url },
    announcement,
  })
}

/** What is done once, for all workers of a first run. */
interface Prepared {
  readonly environment: Readonly<Record<string, string>>
  readonly announcement: (url: string) => string
}

async function serveWithWorkers(
  configured: Configured,
  { terminal }: Invocation,
  signal: Promise<ShutdownSignal>,
  count: number,
  prepared?: Prepared,
): Promise<void> {
  await assertServable(configured)
  if (configured.settings.store === 'memory:') {
    throw new CommandError(
      'The store memory: is one for each process, so workers would not know of each other. Use file:DIR or Redis.',
    )
  }
  await runWorkers({
    count,
    terminal,
    signal,
    environment: prepared?.environment ?? {},
    onServing(addresses) {
      terminal.say(describeAddresses(addresses))
      if (prepared) terminal.say(prepared.announcement(addresses.clients))
    },
  })
}
