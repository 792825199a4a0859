import { configSchema } from '../../configuration/schema.ts'
import type { Invocation } from '../command.ts'
import { UsageError } from '../command.ts'
import { programName } from '../program-name.ts'

const idSchema = configSchema.shape.keys.unwrap().element.shape.id

/** The key that a command is about: its operand or `--id`. Throws `UsageError` for another form. */
export function givenId({ operand, options }: Invocation): string | undefined {
  const { id = operand } = options
  if (operand !== undefined && operand !== id) {
    throw new UsageError(`Two ids were given: "${operand}" and "${id}".`)
  }
  if (id === undefined || idSchema.safeParse(id).success) return id
  throw new UsageError(
    `"${id}" is no id: use 1 to 128 letters, digits and ._:@-, beginning with a letter or digit.`,
  )
}

/** As `givenId`, where it must be there. */
export function requiredId(invocation: Invocation, command: string): string {
  const id = givenId(invocation)
  if (id !== undefined) return id
  const program = programName()
  throw new UsageError(
    `Which key? \`${program} ${command} ID\`; \`${program} keys list\` shows them.`,
  )
}
