import { type AuditTarget, createAuditLog } from '../../admin/audit.ts'
import type { Store } from '../../stores/store.ts'
import { CommandError, type Invocation } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { assertStorePersists, assertStoreValid, useStore } from '../use-store.ts'

/** Reads the configuration for the token commands, which ignore problems outside of the store's setting. */
export async function readForTokens(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readCommandConfiguration(invocation)
  assertStoreValid(configuration)
  return configuration
}

/** Throws if the token is not of the store, or if the store does not persist the change. */
export function assertTokenChangeable(configuration: CommandConfiguration, id: string): void {
  const { settings, file } = configuration
  const token = settings.adminTokens?.find((one) => one.id === id)
  if (token && id === 'environment') {
    throw new CommandError('This admin token is that of DRAGOMAN_ADMIN_TOKEN: change the variable.')
  }
  if (token) {
    throw new CommandError(`The admin token "${id}" is in the configuration: change it in ${file}.`)
  }
  assertStorePersists(configuration, 'add the token to admin.tokens in the configuration')
}

/** An act of a command, for its audit record. */
interface CommandAct {
  readonly action: string
  readonly target: AuditTarget
}

/**
 * Changes the store, with an audit record before and after. An act without a record does not happen.
 * `work` returns the changed fields, without secrets.
 */
export function changeStore<R>(
  configuration: CommandConfiguration,
  act: CommandAct,
  work: (store: Store) => Promise<{ result: R; after: Readonly<Record<string, unknown>> }>,
): Promise<R> {
  return useStore(configuration, (store) => withAudit(store, commandLine, act, work))
}

/** The command line as an actor. */
const commandLine = { kind: 'process', id: 'command-line', role: 'admin' } as const

/** The gateway itself as an actor. */
export const gatewayItself = { kind: 'process', id: 'gateway', role: 'admin' } as const

/** Does what `work` does, with an audit record before and after. */
export async function withAudit<R>(
  store: Store,
  actor: typeof commandLine | typeof gatewayItself,
  act: CommandAct,
  work: (store: Store) => Promise<{ result: R; after: Readonly<Record<string, unknown>> }>,
): Promise<R> {
  const end = await createAuditLog({ store }).begin({ ...act, actor, address: '', agent: '' })
  // If the store fails meanwhile, the record says that the act has started. A secret must not be lost.
  const note = (result: Parameters<typeof end>[0]) => end(result).catch(() => {})
  let done
  try {
    done = await work(store)
  } catch (error) {
    await note({ result: 'FAILED', message: error instanceof Error ? error.message : '' })
    throw error
  }
  await note({ result: 'DONE', after: done.after })
  return done.result
}
