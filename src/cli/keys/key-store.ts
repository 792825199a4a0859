import { configSchema } from '../../configuration/schema.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { type CommandConfiguration, readCommandConfiguration } from '../command-configuration.ts'
import { programName } from '../hints.ts'
import { assertStoreValid, assertStorePersists } from '../use-store.ts'

/**
 * The configuration, as far as keys need it: other problems are `check`'s and `serve`'s. Throws
 * `ConfigurationError` where there is no telling which store is meant.
 */
export async function readForKeys(invocation: Invocation): Promise<CommandConfiguration> {
  const configuration = await readCommandConfiguration(invocation)
  assertStoreValid(configuration)
  return configuration
}

/** Throws where a change to a key of the store would be lost, or would not be what was meant. */
export function assertChangeable(configuration: CommandConfiguration, id: string): void {
  const { settings, file } = configuration
  if (settings.keys.some((key) => key.id === id)) {
    throw new CommandError(`The key "${id}" is in the configuration: change it in ${file}.`)
  }
  assertStorePersists(configuration, 'put the key under keys in the configuration')
}

const idSchema = configSchema.shape.keys.unwrap().element.shape.id

/** The key that a command is about: its operand or `--id`. Throws `UsageError` for another form. */
export function parseKeyId({ operand, options }: Invocation): string | undefined {
  const { id = operand } = options
  if (operand !== undefined && operand !== id) {
    throw new UsageError(`Two ids were given: "${operand}" and "${id}".`)
  }
  if (id === undefined || idSchema.safeParse(id).success) return id
  throw new UsageError(
    `"${id}" is no id: use 1 to 128 letters, digits and ._:@-, beginning with a letter or digit.`,
  )
}

/** As `parseKeyId`, where it must be there. */
export function requireKeyId(invocation: Invocation, command: string): string {
  const id = parseKeyId(invocation)
  if (id !== undefined) return id
  const program = programName()
  throw new UsageError(
    `Which key? \`${program} ${command} ID\`; \`${program} keys list\` shows them.`,
  )
}
