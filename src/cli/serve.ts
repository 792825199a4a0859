import { createLog } from '../lib/log.ts'
import { openStore } from '../stores/open.ts'
import { CommandError, type Invocation } from './command.ts'
import { type CommandConfiguration, readCommandConfiguration } from './command-configuration.ts'
import { buildConsoleBeside } from './console-build.ts'
import { withFirstRunSettings } from './first-run.ts'
import { surviveDefects } from './defects.ts'
import { assertServable, describeAddresses, runServer } from './server.ts'
import { type ShutdownSignal, shutdownSignal } from './signals.ts'
import { welcome } from './welcome.ts'
import { claimWorkerAddresses } from './worker-addresses.ts'
import { disconnectWorker, readWorkers, runWorkers, workerNumber } from './workers.ts'

/** Passes the sandbox URL of a first run to the workers. */
const sandboxVariable = 'DRAGOMAN_SANDBOX_URL'

/** `dragoman [serve]`: serves the configuration, or without one the sandbox and provider keys. */
export async function run(invocation: Invocation): Promise<number> {
  const signal = shutdownSignal()
  const { env } = invocation.terminal
  const configuration = await readCommandConfiguration(invocation)
  const count = readWorkers(invocation.options, env)
  if (workerNumber(env) === undefined) buildConsoleBeside(configuration.settings, invocation)
  if (workerNumber(env) !== undefined) await serveAsWorker(configuration, invocation, signal)
  else if (configuration.file === undefined)
    await serveFirstRun(configuration, invocation, signal, count)
  else if (count > 1) await serveWithWorkers(configuration, invocation, signal, count)
  else await runServer({ configuration, invocation, signal })
  return 0
}

async function serveAsWorker(
  configuration: CommandConfiguration,
  invocation: Invocation,
  signal: Promise<ShutdownSignal>,
): Promise<void> {
  const sandboxUrl = invocation.terminal.env[sandboxVariable]
  const complete =
    configuration.file === undefined && sandboxUrl !== undefined
      ? withFirstRunSettings(configuration, invocation, sandboxUrl)
      : configuration
  try {
    await runServer({ configuration: complete, invocation, signal })
  } finally {
    disconnectWorker()
  }
}

async function serveFirstRun(
  configuration: CommandConfiguration,
  invocation: Invocation,
  signal: Promise<ShutdownSignal>,
  count: number,
): Promise<void> {
  // A gateway with a configuration needs none of it.
  const { startSandbox } = await import('../sandbox/index.ts')
  await using sandbox = await startSandbox()
  const complete = withFirstRunSettings(configuration, invocation, sandbox.url)
  const { env } = invocation.terminal
  if (count === 1) {
    const prepare = (store: Parameters<typeof welcome>[0]) =>
      welcome(store, env, invocation.options)
    await runServer({ configuration: complete, invocation, signal, prepare })
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

/** The results of the first run's preparation, for all workers. */
interface FirstRun {
  readonly environment: Readonly<Record<string, string>>
  readonly announcement: (url: string) => string
}

async function serveWithWorkers(
  configuration: CommandConfiguration,
  invocation: Invocation,
  signal: Promise<ShutdownSignal>,
  count: number,
  firstRun?: FirstRun,
): Promise<void> {
  const { terminal, options } = invocation
  // The modules of plugins run here as well, though they do nothing in this process.
  using _ = surviveDefects(createLog(terminal.stderr), options['debug'] !== undefined)
  await assertServable(configuration)
  const { settings, storeBase } = configuration
  if (settings.store === 'memory:') {
    throw new CommandError(
      'Several workers cannot share the store memory:, which belongs to one process. Use file:DIR or Redis.',
    )
  }
  /** The workers leave it to this process, so that one of them creates and shows the token. */
  async function announceToken(url: string): Promise<void> {
    const { announceFirstToken } = await import('./admin-tokens/first-token.ts')
    const store = await openStore(settings.store, { cwd: storeBase })
    const message = await announceFirstToken(settings, store, url, invocation)
    await store.close()
    if (message !== '') terminal.say(message)
  }

  await using claims = new AsyncDisposableStack()
  const addresses = await claimWorkerAddresses(settings, claims)
  await runWorkers({
    count,
    terminal,
    signal,
    environment: { ...firstRun?.environment, ...addresses },
    onServing(serving) {
      terminal.say(describeAddresses(serving))
      if (firstRun) terminal.say(firstRun.announcement(serving.api))
      if (serving.admin === undefined) return
      announceToken(serving.admin).catch((error: Error) =>
        terminal.say(`No admin token could be created: ${error.message}`),
      )
    },
  })
}
