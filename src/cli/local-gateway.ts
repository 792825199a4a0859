import { noLines } from '../lib/log.ts'
import { type RunningGateway, startGateway } from '../runtime/start-gateway.ts'
import { openMemoryStore } from '../stores/memory.ts'
import { openStore } from '../stores/open.ts'
import { CommandError, type Invocation } from './command.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { mayContainRecords } from './use-store.ts'

/** A gateway that does not listen. It has its store open. */
export interface LocalGateway extends AsyncDisposable {
  readonly running: RunningGateway
  /** Creates the store for which memory stands in, with the records that were written meanwhile. */
  readonly createStore?: () => Promise<void>
}

const writtenMeanwhile = 'Another command has created the store meanwhile: run this one again.'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/**
 * Puts the gateway of a configuration together on its store, for work that sends no call: it does not listen,
 * traces, captures and records nothing, and starts no plugin. Memory stands in for a missing store.
 * Rejects as `startGateway` does.
 */
export async function openLocalGateway(
  configuration: CommandConfiguration,
  { terminal }: Pick<Invocation, 'terminal'>,
): Promise<LocalGateway> {
  const { settings, storeBase } = configuration
  await using opening = new AsyncDisposableStack()
  const openOwn = () => openStore(settings.store, { cwd: storeBase })
  const memory = mayContainRecords(configuration) ? undefined : openMemoryStore()
  const store = memory ?? (await openOwn())
  opening.defer(() => store.close())
  const { default: pipeline } = await import('../../config/gateway.config.ts')
  const running = opening.use(
    await startGateway({
      pipeline,
      settings: {
        ...settings,
        capture: false,
        history: false,
        telemetry: { ...settings.telemetry, traces: false },
      },
      store,
      env: terminal.env,
      cwd: storeBase,
      log: silent,
      lines: noLines,
      startsPlugins: false,
    }),
  )
  running.publicUrl.listening(`http://${settings.listen.host}:${settings.listen.port}`)
  const opened = opening.move()
  return {
    running,
    ...(memory && {
      async createStore() {
        const created = await openOwn()
        try {
          if (!(await memory.copyTo(created))) throw new CommandError(writtenMeanwhile)
        } finally {
          await created.close()
        }
      },
    }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
