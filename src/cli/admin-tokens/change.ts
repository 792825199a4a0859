import { CommandError, type Invocation } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { assertStorePersists, assertStoreValid } from '../use-store.ts'

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
