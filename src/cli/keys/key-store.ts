import type { Invocation } from '../command.ts'
import { CommandError } from '../command.ts'
import { readConfigured, type Configured } from '../configured.ts'
import { assertStoreKnown, assertStoreLasts } from '../use-store.ts'

/**
 * The configuration, as far as keys need it: other problems are `check`'s and `serve`'s. Throws
 * `ConfigurationError` where there is no telling which store is meant.
 */
export async function readForKeys(invocation: Invocation): Promise<Configured> {
  const configured = await readConfigured(invocation)
  assertStoreKnown(configured)
  return configured
}

/** Throws where a change to a key of the store would be lost, or would not be what was meant. */
export function assertChangeable(configured: Configured, id: string): void {
  const { settings, file } = configured
  if (settings.keys.some((key) => key.id === id)) {
    throw new CommandError(`The key "${id}" is in the configuration: change it in ${file}.`)
  }
  assertStoreLasts(configured, 'put the key under keys in the configuration')
}
