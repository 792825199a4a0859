import { CommandError } from '../command.ts'
import type { AdminClient } from './client.ts'
import { quoted } from './failures.ts'
import type { Act } from './operations.ts'

/** What a mutation answers: its success, or why nothing happened. */
interface Result {
  readonly __typename?: string
  readonly message?: string
  readonly fix?: string
  readonly problems?: readonly { readonly path: string; readonly fix: string }[]
}

/** Does an act. Rejects with `CommandError` and the gateway's reason if it does not happen. */
export async function doAct<Success>(
  client: AdminClient,
  act: Act<Success>,
  input: object,
): Promise<Success> {
  const data = await client.request(act, { input })
  const result = Object(data[act.name]) as Result
  if (result.__typename?.endsWith('Success')) return result as Success
  throw new CommandError(reasonOf(result))
}

function reasonOf({ message, fix, problems = [] }: Result): string {
  const fixes = problems.map((one) => `\n  ${quoted(one.path)}: ${quoted(one.fix)}`)
  const way = fix === undefined ? '' : ` Fix: ${quoted(fix)}.`
  return `${quoted(message ?? 'The gateway does not say what became of the act.')}${way}${fixes.join('')}`
}
