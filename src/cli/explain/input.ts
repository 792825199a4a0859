import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { defined } from '../../lib/json/object.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'

/** The request of which a command asks how it would be served. */
interface ExplainedInput {
  readonly keyId: string
  readonly dialect: string
  readonly operation?: string
  readonly id?: string
  readonly model?: string
  readonly previousResponseId?: string
  /** The exact JSON text. */
  readonly body?: string
}

/** Reads the input of `explain`. Rejects with `UsageError`, or with `CommandError` for a file. */
export async function readInput({ options, terminal }: Invocation): Promise<ExplainedInput> {
  const { key: keyId, dialect = 'responses', operation, id, model, previous, body } = options
  if (!keyId) throw new UsageError('Whose request? --key ID names an API key.')
  if (!model && !body && !id) {
    throw new UsageError('Which request? --model MODEL, --body FILE or both describe it.')
  }
  return {
    keyId,
    dialect,
    ...defined({
      operation,
      id,
      model,
      previousResponseId: previous,
      body: body === undefined ? undefined : await textOf(resolve(terminal.cwd, body)),
    }),
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new CommandError(`The file ${JSON.stringify(file)} cannot be read.`, { cause })
  }
}
