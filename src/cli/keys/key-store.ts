import { configSchema } from '../../configuration/schema.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { programName } from '../hints.ts'
import { assertStoreValid, assertStorePersists } from '../use-store.ts'

/**
 * Reads the configuration for the key commands, which ignore problems outside of the store's setting.
 * Throws `ConfigurationError` if the setting of the store is invalid.
 */
export async function readForKeys(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readCommandConfiguration(invocation)
  assertStoreValid(configuration)
  return configuration
}

/** Throws if the key is in the configuration, or if the store does not persist the change. */
export function assertChangeable(configuration: CommandConfiguration, id: string): void {
  const { settings, file } = configuration
  if (settings.keys.some((key) => key.id === id)) {
    throw new CommandError(`The key "${id}" is in the configuration: change it in ${file}.`)
  }
  assertStorePersists(configuration, 'add the key to keys in the configuration')
}

const idSchema = configSchema.shape.keys.unwrap().element.shape.id

/** The key id from the operand or `--id`. Throws `UsageError` if its form is invalid. */
export function parseKeyId({ operand, options }: Invocation): string | undefined {
  const { id = operand } = options
  if (operand !== undefined && operand !== id) {
    throw new UsageError(`The command line has two ids: "${operand}" and "${id}".`)
  }
  if (id === undefined || idSchema.safeParse(id).success) return id
  throw new UsageError(
    `"${id}" is not a valid id: use 1 to 128 letters, digits and ._:@-, beginning with a letter or digit.`,
  )
}

/** Like `parseKeyId`, but throws `UsageError` if the id is missing. */
export function requireKeyId(invocation: Invocation, command: string): string {
  const id = parseKeyId(invocation)
  if (id !== undefined) return id
  const program = programName()
  throw new UsageError(
    `Which key? \`${program} ${command} ID\`; \`${program} keys list\` shows them.`,
  )
}
