import { noLines } from '../lib/line-writer.ts'
import { type RunningGateway, startGateway } from '../runtime/start-gateway.ts'
import { openMemoryStore } from '../stores/memory.ts'
import { openStore } from '../stores/open.ts'
import type { Invocation } from './command.ts'
import type { CommandConfiguration } from './command-configuration.ts'
import { mayContainRecords, namingStore } from './use-store.ts'

/**
 * Puts the gateway of a configuration together on its store, for `work` that sends nothing: it does not
 * listen, and no plugin starts. A missing store is not created. Rejects as `startGateway` does.
 */
export async function useLocalGateway<R>(
  configuration: CommandConfiguration,
  { terminal }: Pick<Invocation, 'terminal'>,
  work: (running: RunningGateway) => Promise<R>,
): Promise<R> {
  const { settings, storeBase } = configuration
  await using resources = new AsyncDisposableStack()
  const store = mayContainRecords(configuration)
    ? await openStore(settings.store, { cwd: storeBase })
    : openMemoryStore()
  resources.defer(() => store.close())
  const { default: pipeline } = await import('../../config/gateway.config.ts')
  const running = resources.use(
    await startGateway({
      pipeline,
      settings,
      store,
      env: terminal.env,
      cwd: storeBase,
      log: {
        debug() {},
        info() {},
        warn() {},
        error: (message) => terminal.say(`Warning: ${message}.`),
      },
      lines: noLines,
      startsPlugins: false,
    }),
  )
  running.publicUrl.listening(`http://${settings.listen.host}:${settings.listen.port}`)
  try {
    return await work(running)
  } catch (error) {
    throw namingStore(error, settings.store)
  }
}
