import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { defined } from '../../lib/json/object.ts'
import { visibleInLine } from '../../lib/visible.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'
import { isRemote } from '../remote/address.ts'
import { useAdmin } from '../remote/admin.ts'
import { quoted } from '../remote/failures.ts'
import { queries } from '../remote/operations.ts'
import { describeExplanation } from './describe.ts'

/** `dragoman explain`: shows how a request would be served. Nothing is sent to an account. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const input = await readInput(invocation)
  const isAsked = isRemote(invocation)
  const { explain } = await useAdmin(invocation, { isStrict: true }, (admin) =>
    admin.request(queries.explain, { input }),
  )
  // A command has no pauses and circuits of its own.
  const explanation = isAsked ? explain : { ...explain, processId: null }
  if (options['json'] !== undefined) terminal.out(JSON.stringify(explanation))
  else for (const line of describeExplanation(explanation)) terminal.out(visibleInLine(line))
  if (!isAsked) {
    terminal.say(
      'From the configuration and the store: pauses and circuits of running gateways are not known here, --url asks one.',
    )
  } else if (options['json'] === undefined) {
    const process = quoted(explanation.processId)
    terminal.say(
      `The process ${process} has these pauses, refusals and circuits; another may answer otherwise.`,
    )
  }
  return 0
}

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
